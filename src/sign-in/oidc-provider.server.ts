/** The company's own OpenID provider: how it is found, and what its answers mean here. */
import * as client from 'openid-client';
import { isLoopback } from '../platform/config/env-fields.server.ts';
import { singleLine } from '../platform/fields.ts';
import { HOUR_MS } from '../platform/time.ts';
import type { WorkAccount } from '../staff/account-store.server.ts';
import type { WorkOutcome } from '../staff/staff-api.ts';
import type { AllowedClaim, OidcEnv } from './oidc-settings.server.ts';

const TIMEOUT_SECONDS = 5;
/** How far the provider's clock may be off. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Microsoft Entra dates its tokens five minutes back, so their age says nothing about clocks. */
const MAX_AGE_SECONDS = 86_400;
const AGAIN_MS = 5_000;

export type Claims = NonNullable<ReturnType<client.TokenEndpointResponseHelpers['claims']>>;

/** Asks the provider for its addresses. */
export function discover({
  issuer,
  clientId,
  clientSecret,
}: OidcEnv): Promise<client.Configuration> {
  const metadata = { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const sendSecret: client.ClientAuth = (document, ...request) => {
    const byPost = secretMethod(document) === 'client_secret_post';
    const method = byPost ? client.ClientSecretPost : secretByBasic;
    method(clientSecret)(document, ...request);
  };
  return client.discovery(issuer, clientId, metadata, sendSecret, {
    timeout: TIMEOUT_SECONDS,
    execute: isLoopback(issuer.hostname) ? [client.allowInsecureRequests] : [],
  });
}

/**
 * As RFC 6749 has it, but signs that need no encoding stay as they are: Google and others do not
 * decode them (panva/oauth4webapi#165).
 */
function secretByBasic(secret: string): client.ClientAuth {
  return (_document, { client_id }, _body, headers) => {
    const pair = [client_id, secret].map(encodeURIComponent).join(':');
    headers.set('Authorization', `Basic ${btoa(pair)}`);
  };
}

/** How the provider takes the secret; by default by Basic (Discovery 1.0, section 3). */
export function secretMethod(document: client.ServerMetadata): string | undefined {
  const methods = document.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return ['client_secret_basic', 'client_secret_post'].find((each) => methods.includes(each));
}

/**
 * Finds the provider when it is needed, so that the site starts and serves while it is away. Asks
 * once an hour, and soon again after a failure, however many begin to sign in.
 */
export function openIdProvider(env: OidcEnv) {
  let asked: { until: number; answer: Promise<client.Configuration> } | undefined;
  let known: client.Configuration | undefined;
  async function ask(): Promise<client.Configuration> {
    try {
      known = await discover(env);
      return known;
    } catch (error) {
      if (asked) asked.until = performance.now() + AGAIN_MS;
      throw error;
    }
  }
  return {
    configuration(): Promise<client.Configuration> {
      if (!asked || performance.now() >= asked.until)
        asked = { until: performance.now() + HOUR_MS, answer: ask() };
      return asked.answer;
    },
    /** As far as is known. */
    canSignOut: () => known?.serverMetadata().end_session_endpoint !== undefined,
  };
}

/** A line of at most 255 characters (Core 1.0, section 2). Both databases store it as it came. */
const IDENTIFIER = /^(?=.*\S)\P{C}{1,255}$/u;

/** Throws for what the library lets pass. */
export function checkClaims({ sub, oid = sub, azp, iat }: Claims, clientId: string): void {
  if (!IDENTIFIER.test(sub)) throw wrongClaim('sub', 'an identifier', sub);
  if (!IDENTIFIER.test(String(oid))) throw wrongClaim('oid', 'an identifier', oid);
  if (azp !== undefined && azp !== clientId) throw wrongClaim('azp', clientId, azp);
  const from = Math.floor(Date.now() / 1000) - MAX_AGE_SECONDS;
  if (iat < from) throw wrongClaim('iat', `${from} or later`, iat);
}

function wrongClaim(claim: string, wanted: string, got: unknown): Error {
  return Object.assign(new Error(`unexpected ${claim}`), { claim, wanted, got });
}

export function isAllowed(claims: object, allowed: readonly AllowedClaim[]): boolean {
  return allowed.some(
    ({ claim, value }) =>
      // Others can enter an address that they have not shown to be theirs.
      (claim !== 'email' || hasVerifiedEmail(claims)) &&
      textsOf(readClaim(claims, claim), claim).includes(value),
  );
}

/** For the log: what was looked for, and what came instead. */
export function describeRefusal(claims: object, allowed: readonly AllowedClaim[]) {
  const names = new Set(allowed.map(({ claim }) => claim));
  if (names.has('email')) names.add('email_verified');
  return {
    claims: Object.keys(claims),
    wanted: allowed.map(({ claim, value }) => `${claim}=${value}`),
    got: Object.fromEntries([...names].map((name) => [name, shortened(readClaim(claims, name))])),
  };
}

/** Microsoft Entra leaves the groups out for those who are in more than 200. */
export function hasTooManyGroups(claims: object, allowed: readonly AllowedClaim[]): boolean {
  const { _claim_names: elsewhere, hasgroups }: Record<string, unknown> = { ...claims };
  return (
    allowed.some(({ claim }) => claim === 'groups') &&
    (isTrue(hasgroups) || Object.hasOwn(Object(elsewhere), 'groups'))
  );
}

const MAX_LOGGED = 500;

function shortened(value: unknown): string | undefined {
  return JSON.stringify(value)?.slice(0, MAX_LOGGED);
}

/** The claim of this name, or else what the name leads to as a path: `realm_access.roles`. */
function readClaim(claims: object, name: string): unknown {
  const named = (value: unknown, part: string): unknown =>
    isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return named(claims, name) ?? name.split('.').reduce<unknown>(named, claims);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A list comes as such, or its only item, or one text with commas or semicolons between items. */
function textsOf(claim: unknown, name: string): string[] {
  if (Array.isArray(claim)) return claim.map(String);
  if (!/^(string|number|boolean)$/.test(typeof claim)) return [];
  const text = String(claim);
  // An address may have commas of its own, in quotes.
  return name === 'email' || text.includes('=')
    ? [text]
    : [text, ...text.split(/[,;]/).map((part) => part.trim())];
}

const isTrue = (claim: unknown) => /^(true|1)$/.test(String(claim));

/** `xms_edov` is Entra's word for it, an optional claim. */
function hasVerifiedEmail(claims: object): boolean {
  const { email_verified, xms_edov }: Record<string, unknown> = { ...claims };
  return isTrue(email_verified) || isTrue(xms_edov);
}

/** Who has signed in. Entra's `oid` is the person's for good; an address may get another owner. */
export function readAccount(claims: Claims): WorkAccount {
  const { iss, sub, tid, oid } = claims;
  const isEntra =
    typeof tid === 'string' &&
    typeof oid === 'string' &&
    oid !== '' &&
    new URL(iss).pathname.toLowerCase() === `/${tid}/v2.0`.toLowerCase();
  const address = readLine(claims.email) ?? null;
  const verifiedEmail = hasVerifiedEmail(claims) ? address : null;
  const login = claims.preferred_username;
  const publicName = readLine(claims.name) ?? null;
  return {
    externalKey: isEntra ? `${tid} ${oid}` : `${iss} ${sub}`,
    name: publicName ?? verifiedEmail ?? readLine(login) ?? readLine(address) ?? 'Work account',
    publicName,
    email: address ?? readLine(login) ?? null,
    verifiedEmail,
  };
}

const MAX_LINE = 254;

/** Undefined for what can't be displayed in a line. */
function readLine(claim: unknown): string | undefined {
  return singleLine({ min: 1, max: MAX_LINE }).safeParse(claim).data;
}

/** What a fault during a sign-in means for the person who signs in. */
export function outcomeOf(error: unknown): WorkOutcome {
  if (error instanceof client.AuthorizationResponseError) {
    if (/^(access_denied|consent_required)$/.test(error.error)) return 'canceled';
    return /^(server_error|temporarily_unavailable)$/.test(error.error) ? 'unavailable' : 'failed';
  }
  const chain = withCauses(error);
  const refusal = error instanceof client.ResponseBodyError ? error.error : '';
  if (refusal === 'invalid_grant') return 'used';
  if (
    /^(invalid|unauthorized)_client$/.test(refusal) ||
    error instanceof client.WWWAuthenticateChallengeError
  )
    return 'secret';
  const isClock = chain.some(
    ({ code, claim }) => code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' || claim === 'iat',
  );
  if (isClock) return 'clock';
  const isAway = chain.some(
    ({ name, status }) =>
      /^(TypeError|TimeoutError)$/.test(`${name}`) || status === 429 || Number(status) >= 500,
  );
  return isAway ? 'unavailable' : 'failed';
}

/** For the log: the claim or field that was wrong, if one was, and the reasons of all errors. */
export function describeSignInFault(error: unknown) {
  const chain = withCauses(error);
  const wrong = chain.find(({ claim, attribute, claims }) => claim ?? attribute ?? claims);
  const causes = chain.map(({ code, error: reason, error_description: description, message }) =>
    [code, reason, description, message].filter(Boolean).join(' ').slice(0, MAX_LOGGED),
  );
  return { ...(wrong && describeWrong(wrong)), causes: causes.filter((cause) => cause !== '') };
}

const NEEDED = ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'];

/** The claim, what was expected, and what came; for a time, by which clock it was judged. */
function describeWrong(wrong: Record<string, unknown>) {
  const said: Record<string, unknown> = Object(wrong.claims ?? wrong.body);
  const missing = NEEDED.find((name) => said[name] === undefined);
  const { claim = wrong.attribute ?? missing, wanted = wrong.expected, now, tolerance } = wrong;
  const got = 'got' in wrong ? wrong.got : said[String(claim)];
  const otherwise = now ? `within ${tolerance} s of ${now}` : missing ? 'any' : 'this site alone';
  return { claim, wanted: wanted ?? otherwise, got: shortened(got) ?? 'nothing' };
}

/** The library wraps what `fetch` throws, and answers that it can't use, in errors of its own. */
export function withCauses(error: unknown): Record<string, unknown>[] {
  return error === undefined ? [] : [Object(error), ...withCauses(Object(error).cause)];
}
