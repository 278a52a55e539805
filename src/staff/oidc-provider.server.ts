/** The company's own OpenID provider: how it is found, and what its answers mean here. */
import * as client from 'openid-client';
import { isLoopback } from '../platform/config/env-fields.server.ts';
import { singleLine } from '../platform/fields.ts';
import type { WorkAccount } from './account-store.server.ts';
import type { AllowedClaim, OidcEnv } from './oidc-settings.server.ts';
import type { WorkOutcome } from './staff-api.ts';

const TIMEOUT_SECONDS = 5;
/** How far the provider's clock may be off. */
export const CLOCK_TOLERANCE_SECONDS = 5 * 60;
const RECENT_MS = 60 * 60_000;

export type Claims = NonNullable<ReturnType<client.TokenEndpointResponseHelpers['claims']>>;

/** Asks the provider for its addresses and keys. */
export function discover({
  issuer,
  clientId,
  clientSecret,
}: OidcEnv): Promise<client.Configuration> {
  const metadata = {
    client_secret: clientSecret,
    [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
  };
  return client.discovery(issuer, clientId, metadata, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // The signature is checked, too, although the token comes straight from the provider.
      client.enableNonRepudiationChecks,
      ...(isLoopback(issuer.hostname) ? [client.allowInsecureRequests] : []),
    ],
  });
}

/** Finds the provider when it is needed, so that the site starts and serves while it is away. */
export function openIdProvider(env: OidcEnv) {
  let last: { at: number; configuration: client.Configuration } | undefined;
  /** As it is now, with its present keys. */
  async function current(): Promise<client.Configuration> {
    const configuration = await discover(env);
    last = { at: performance.now(), configuration };
    return configuration;
  }
  return {
    current,
    /** As it was within the last hour: strangers who begin sign-ins cause no requests. */
    async recent(): Promise<client.Configuration> {
      const isRecent = last && performance.now() - last.at < RECENT_MS;
      return last && isRecent ? last.configuration : current();
    },
    /** As far as is known. */
    canSignOut: () => last?.configuration.serverMetadata().end_session_endpoint !== undefined,
  };
}

/** Whether one of the pairs is among the claims. */
export function isAllowed(claims: Claims, allowed: readonly AllowedClaim[]): boolean {
  return allowed.some(({ claim, value }) => {
    // Others can enter an address that they have not shown to be theirs.
    if (claim === 'email' && claims.email_verified !== true) return false;
    return [readClaim(claims, claim)].flat().includes(value);
  });
}

/** The claim of this name, or else what the name leads to as a path: `realm_access.roles`. */
function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (Object.hasOwn(Object(value), part) ? Object(value)[part] : undefined),
      claims,
    );
}

/**
 * Who has signed in. An address may get another owner, so it identifies nobody. At Microsoft Entra
 * the object id is the person's for good, while `sub` changes with the app registration; its issuer
 * names the tenant.
 */
export function readAccount(claims: Claims): WorkAccount {
  const { iss, sub, tid, oid } = claims;
  const isEntra =
    typeof tid === 'string' &&
    typeof oid === 'string' &&
    new URL(iss).pathname.toLowerCase() === `/${tid}/v2.0`.toLowerCase();
  const email = readLine(claims.email) ?? readLine(claims.preferred_username) ?? null;
  return {
    externalKey: isEntra ? `${tid} ${oid}` : `${iss} ${sub}`,
    name: readLine(claims.name) ?? email ?? 'Work account',
    email,
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
    if (error.error === 'access_denied') return 'canceled';
    return /^(server_error|temporarily_unavailable)$/.test(error.error) ? 'away' : 'failed';
  }
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return 'used';
  const chain = withCauses(error);
  if (chain.some(({ code }) => code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) return 'clock';
  const isAway = chain.some(
    ({ name, status }) => /^(TypeError|TimeoutError)$/.test(`${name}`) || Number(status) >= 500,
  );
  return isAway ? 'away' : 'failed';
}

/** The library wraps what `fetch` throws, and answers that it can't use, in errors of its own. */
export function withCauses(error: unknown): Record<string, unknown>[] {
  return error === undefined ? [] : [Object(error), ...withCauses(Object(error).cause)];
}
