/** A real OpenID provider on loopback: it signs people in without a form, and can answer wrongly. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { freePort } from './free-port.ts';
import { OWN_PASSWORD, startTestApp, type TestApp } from './test-app.ts';
import type { Answered, Visitor } from './visitor.ts';

type Claims = Record<string, unknown>;

/** How an ID token is made wrongly. */
export interface Forgery {
  claims?: (claims: Claims) => Claims;
  header?: Claims;
  /** Signs with another key than the provider's. */
  key?: KeyObject;
  /** Leaves the signature away. */
  unsigned?: boolean;
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const OWN_KEY = newKey();
export const FOREIGN_KEY = newKey();
const KEY_ID = 'own';
const keySet = (key: KeyObject, kid = KEY_ID) => ({
  keys: [{ ...key.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }],
});
const CLIENT = { client_id: 'site', client_secret: 'a secret of the site' };

export class TestProvider {
  /** Those who have an account there, and what their ID token says. */
  readonly people = new Map<string, Claims>();
  /** Who signs in next; null cancels. */
  person: string | null = 'dana';
  /** What every answer to the site is instead. */
  fault: ((response: ServerResponse) => void) | null = null;
  forgery: Forgery | null = null;
  /** It has another key now, with this id. */
  newKeyId: string | null = null;
  /** Requests of the site for a token. */
  tokens = 0;
  readonly issuer: string;
  readonly #server;

  private constructor(port: number, origin: string, withSignOut: boolean) {
    this.issuer = `http://127.0.0.1:${port}`;
    const provider = this.#provider(origin, withSignOut);
    const answer = provider.callback();
    this.#server = createServer((request, response) => {
      const isOfSite = /^\/(token|jwks|\.well-known)/.test(request.url ?? '');
      if (isOfSite && this.fault) this.fault(response);
      else void answer(request, response);
    });
    this.#server.listen(port, '127.0.0.1');
  }

  /** `origin`: of the site. */
  static async start(origin: string, withSignOut = true): Promise<TestProvider> {
    return new TestProvider(await freePort(), origin, withSignOut);
  }

  get variables(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_ALLOWED: 'roles=website-staff, realm_access.roles=website-staff',
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #provider(origin: string, withSignOut: boolean): Provider {
    const provider = new Provider(this.issuer, {
      clients: [{ ...CLIENT, redirect_uris: [`${origin}/api/admin/oidc/callback`] }],
      claims: {
        openid: ['sub', 'tid', 'oid', 'roles', 'groups', 'realm_access', 'hd'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified'],
      },
      // As most providers do it.
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of the provider'] },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          enabled: withSignOut,
          logoutSource: (context, form) => {
            context.body = `<!doctype html><title>Sign out</title>${form}`;
          },
        },
      },
      jwks: keySet(OWN_KEY),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, id) => {
        const claims = this.people.get(id);
        return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) };
      },
      ttl: { AccessToken: 60, Grant: 60, IdToken: 3600, Interaction: 60, Session: 60 },
      // Nobody is asked for consent.
      loadExistingGrant: async ({ oidc }) => {
        const accountId = oidc.session?.accountId;
        const clientId = oidc.client?.clientId;
        if (!accountId || !clientId) return undefined;
        const grant = new provider.Grant({ accountId, clientId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      if (context.path.startsWith('/interaction/')) {
        const outcome =
          this.person === null
            ? { error: 'access_denied' }
            : { login: { accountId: this.person, remember: false } };
        context.respond = false;
        return provider.interactionFinished(context.req, context.res, outcome);
      }
      await next();
      if (context.path === '/jwks' && this.newKeyId)
        context.body = keySet(createPublicKey(FOREIGN_KEY), this.newKeyId);
      if (context.path !== '/token') return;
      this.tokens += 1;
      const body: { id_token?: string } = Object(context.body);
      if (this.forgery && body.id_token) body.id_token = forge(body.id_token, this.forgery);
    });
    return provider;
  }
}

/** The ID token with other claims, signed again. */
function forge(token: string, { claims = (all) => all, header, key = OWN_KEY, unsigned }: Forgery) {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const [, body = ''] = token.split('.');
  const said: Claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const signed = `${encode({ alg: 'RS256', kid: KEY_ID, ...header })}.${encode(claims(said))}`;
  const signature = sign(
    'sha256',
    Buffer.from(signed),
    createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' })),
  );
  return `${signed}.${unsigned ? '' : signature.toString('base64url')}`;
}

export interface SiteWithProvider {
  app: TestApp;
  provider: TestProvider;
}

/** A site whose staff sign in at the provider, too. */
export async function startWithProvider(
  variables: Record<string, string> = {},
  withSignOut = true,
): Promise<SiteWithProvider> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const provider = await TestProvider.start(origin, withSignOut);
  provider.people.set('dana', {
    name: 'Dana Whitfield',
    email: 'dana@tidewell.example',
    roles: ['website-staff'],
  });
  const app = await startTestApp({
    ...OWN_PASSWORD,
    PORT: port,
    PUBLIC_URL: origin,
    ...provider.variables,
    ...variables,
  });
  return { app, provider };
}

/** Begins a sign-in and goes through the provider's pages. Returns the callback, not yet opened. */
export async function throughProvider(visitor: Visitor): Promise<string> {
  const { headers, status } = await visitor.get('/api/admin/oidc');
  let location = new URL(headers.get('location') ?? '', visitor.origin);
  if (status !== 303 || location.origin === visitor.origin)
    return location.pathname + location.search;
  const cookies = new Map<string, string>();
  while (location.origin !== visitor.origin) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(location, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = answer.headers.get('location');
    if (!next) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    location = new URL(next, location);
  }
  return location.pathname + location.search;
}

/** Signs in, and returns what the sign-in page is to say: 'in' when it worked. */
export async function signInAtWork(visitor: Visitor): Promise<string | null> {
  const path = await throughProvider(visitor);
  return path.startsWith('/admin-login') ? outcomeAt(path) : outcomeOf(await visitor.get(path));
}

export function outcomeOf({ headers }: Answered): string | null {
  return outcomeAt(headers.get('location') ?? '/');
}

const outcomeAt = (path: string) => new URL(path, 'http://site.example').searchParams.get('work');
