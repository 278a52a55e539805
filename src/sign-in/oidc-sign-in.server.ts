/**
 * Signing in at the company's own OpenID provider, by authorization code. Nothing is stored
 * meanwhile: state, nonce and PKCE verifier are made with the key in a cookie, so that a callback
 * counts only in the browser that it was made for.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as client from 'openid-client';
import { SESSION_SECONDS, WORK_SIGN_IN_CALLS, WORK_SIGN_IN_SECONDS } from '../limits.ts';
import type { Faults } from '../notifications/faults.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call } from '../platform/http/call.server.ts';
import { isToken, newToken } from '../platform/http/cookies.server.ts';
import { logEvent } from '../platform/log.server.ts';
import { STAFF_PAGES } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { followWorkAccount } from '../staff/account-store.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { openSession } from '../staff/sessions.server.ts';
import {
  OIDC_CALLBACK,
  OIDC_SIGN_IN,
  OIDC_SIGN_OUT,
  type WorkOutcome,
} from '../staff/staff-api.ts';
import {
  type Claims,
  checkClaims,
  describeRefusal,
  describeSignInFault,
  hasTooManyGroups,
  isAllowed,
  type openIdProvider,
  outcomeOf,
  readAccount,
} from './oidc-provider.server.ts';
import type { OidcEnv } from './oidc-settings.server.ts';

const COOKIE = 'oidc';
const SCOPE = 'openid profile email';

type Request = CallRequest<null, 'recognized'>;
type OpenIdProvider = ReturnType<typeof openIdProvider>;

export function oidcCalls({ db, outbox }: Site, oidc: OidcEnv, provider: OpenIdProvider): Call[] {
  const ask = <Result>(act: () => Promise<Result>) => askOpenIdProvider(act, outbox.faults);

  async function signIn(request: Request): Promise<WorkOutcome> {
    const { query, cookies, address, staff } = request;
    const key = cookies.get(COOKIE);
    const state = query.get('state') ?? '';
    if (!isToken(key) || !isCurrent(key, state)) {
      // Another tab has signed in meanwhile, or the callback was opened twice.
      return staff ? 'in' : fail('lost', { cookie: isToken(key), state: STATE.test(state) });
    }
    const claims = await ask(() => readClaims(oidc, provider, { key, state, query }));
    if (typeof claims === 'string') return claims;
    await outbox.faults.works('sign-in');
    const account = readAccount(claims);
    if (!isAllowed(claims, oidc.allowed)) {
      const refusal = describeRefusal(claims, oidc.allowed);
      await refuseAccount(db, account.externalKey, address, refusal);
      const isOverage = hasTooManyGroups(claims, oidc.allowed);
      return fail(isOverage ? 'too-many-groups' : 'not-allowed', refusal);
    }
    const token = await openWorkSession(db, account, request);
    if (token === undefined) return fail('blocked', { account: account.externalKey });
    cookies.set('session', token, SESSION_SECONDS);
    // The provider accepts its code once, and without the key nothing else can be used again.
    cookies.set(COOKIE, '', 0);
    return 'in';
  }

  return [
    call(OIDC_SIGN_IN, { access: 'anyone', limit: WORK_SIGN_IN_CALLS }, async ({ cookies }) => {
      const known = cookies.get(COOKIE);
      const key = isToken(known) ? known : newToken();
      const state = newState(key);
      const verifier = derive(key, 'verifier', state);
      const url = await ask(async () =>
        client.buildAuthorizationUrl(await provider.configuration(), {
          redirect_uri: oidc.redirectUri,
          scope: SCOPE,
          state,
          nonce: derive(key, 'nonce', state),
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      );
      if (typeof url === 'string') return explain(url);
      cookies.set(COOKIE, key, WORK_SIGN_IN_SECONDS);
      return redirect(url);
    }),
    call(OIDC_CALLBACK, { access: 'recognized', limit: WORK_SIGN_IN_CALLS }, async (request) => {
      // It would use up the code.
      if (request.context.req.method === 'HEAD')
        return refuse(405, 'This method is not allowed here', { headers: { Allow: 'GET' } });
      return explain(await signIn(request));
    }),
    call(OIDC_SIGN_OUT, { access: 'anyone', limit: WORK_SIGN_IN_CALLS }, async () => {
      const end = await ask(async () =>
        client.buildEndSessionUrl(await provider.configuration(), {}),
      );
      return typeof end === 'string' ? explain(end) : redirect(end);
    }),
  ];
}

async function readClaims(
  oidc: OidcEnv,
  provider: OpenIdProvider,
  { key, state, query }: { key: string; state: string; query: URLSearchParams },
): Promise<Claims> {
  const url = new URL(oidc.redirectUri);
  url.search = `${query}`;
  const configuration = await provider.configuration();
  const tokens = await client.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: derive(key, 'nonce', state),
    pkceCodeVerifier: derive(key, 'verifier', state),
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('The provider sent no ID token');
  checkClaims(claims, oidc.clientId);
  const isEnough = claims.name !== undefined && isAllowed(claims, oidc.allowed);
  if (isEnough || !configuration.serverMetadata().userinfo_endpoint) return claims;
  // Authelia and others have all but the subject there.
  const more = await client
    .fetchUserInfo(configuration, tokens.access_token, claims.sub)
    .catch((error) => {
      // It may be what lets them in, once it answers.
      if (outcomeOf(error) === 'unavailable' && !isAllowed(claims, oidc.allowed)) throw error;
      logEvent('warn', 'userinfo-failed', describeSignInFault(error));
    });
  // There, the one beside it is verified.
  const isOther = claims.email !== undefined && more?.email !== claims.email;
  return { ...more, ...(isOther && { email_verified: false, xms_edov: false }), ...claims };
}

/** Undefined for an account that is blocked. */
async function openWorkSession(
  db: Db,
  account: ReturnType<typeof readAccount>,
  request: Request,
): Promise<string | undefined> {
  const { address } = request;
  return db.transaction().execute(async (trx) => {
    const { id, name, email, blockedAt } = await followWorkAccount(trx, account);
    const by = { accountId: id, name };
    const detail = `work account ${email ?? ''}`.trim();
    if (blockedAt !== null) {
      const blocked = `${detail}, blocked`;
      await recordAudit(trx, { kind: 'sign-in-failed', by, address, detail: blocked });
      return undefined;
    }
    await recordAudit(trx, { kind: 'signed-in', by, address, detail });
    return openSession(trx, id, 'oidc', request);
  });
}

/** Asks the provider. A fault is logged, and becomes what the sign-in page says. */
async function askOpenIdProvider<Result>(
  act: () => Promise<Result>,
  faults: Faults,
): Promise<Result | WorkOutcome> {
  try {
    return await act();
  } catch (error) {
    const outcome = outcomeOf(error);
    if (outcome === 'secret') await faults.failed('sign-in', SECRET_REFUSED, { sure: true });
    // What comes with a browser may be a stranger's own words.
    const isAnswer = !(error instanceof client.AuthorizationResponseError);
    if (outcome === 'unavailable' && isAnswer)
      await faults.failed('sign-in', 'the provider does not answer');
    return fail(outcome, describeSignInFault(error));
  }
}

const SECRET_REFUSED = 'the provider refuses this site’s id or secret';

function fail(outcome: WorkOutcome, details: object): WorkOutcome {
  logEvent('warn', 'work-sign-in-failed', { outcome, ...details });
  return outcome;
}

const explain = (outcome: WorkOutcome) => redirect(`${STAFF_PAGES.signIn.path}?work=${outcome}`);

function redirect(location: URL | string): Response {
  return new Response(null, { status: 303, headers: { Location: `${location}` } });
}

/** Someone who may no longer enter: what is still open ends. */
async function refuseAccount(
  db: Db,
  externalKey: string,
  address: string,
  { wanted, got }: ReturnType<typeof describeRefusal>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const account = await trx
      .selectFrom('accounts')
      .select(['id', 'name'])
      .where('externalKey', '=', externalKey)
      .executeTakeFirst();
    const by = account ? { accountId: account.id, name: account.name } : null;
    const came = Object.entries(got).map(([claim, value]) => `${claim}: ${value ?? 'nothing'}`);
    const detail = `work account, not allowed: needs ${wanted.join(' or ')}; came ${came.join(', ')}`;
    await recordAudit(trx, { kind: 'sign-in-failed', by, address, detail });
    if (account) await trx.deleteFrom('sessions').where('accountId', '=', account.id).execute();
  });
}

const STATE = /^((\d{13})\.[\w-]{22})\.([\w-]{43})$/;

/** The time and a random part, signed with the browser's key. */
function newState(key: string): string {
  const begun = `${Date.now()}.${randomBytes(16).toString('base64url')}`;
  return `${begun}.${derive(key, 'state', begun)}`;
}

/** Whether the state was made with this key, not too long ago. */
function isCurrent(key: string, state: string): boolean {
  const [, begun = '', at, signature = ''] = STATE.exec(state) ?? [];
  const expected = derive(key, 'state', begun);
  if (!timingSafeEqual(Buffer.from(signature.padEnd(43)), Buffer.from(expected))) return false;
  return Date.now() - Number(at) <= WORK_SIGN_IN_SECONDS * 1000;
}

/** 43 characters, as PKCE requires. */
function derive(key: string, purpose: 'state' | 'nonce' | 'verifier', about: string): string {
  return createHmac('sha256', key).update(`${purpose} ${about}`).digest('base64url');
}
