/** A real OpenID provider on loopback, which signs people in without a form, or wrongly. */
import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { LocalServer } from './local-server.ts';
import { OWN_PASSWORD, shared, startTestApp } from './test-app.ts';
import { type Answered, Visitor } from './visitor.ts';

type Claims = Record<string, unknown>;

interface Sort {
  /** What its document says of the ways to hand over the secret; it takes no other. */
  methods?: string[];
  /** Takes what comes by Basic as it is, not percent-decoded. */
  takesRaw?: boolean;
  /** Of Dana, who may enter. */
  claims: Claims;
  /** Seconds from now. */
  times: { iat: number; nbf?: number; exp: number };
  /** Claims that are at userinfo alone. */
  atUserinfo?: string[];
}

const BASIC = 'client_secret_basic';
const POST = 'client_secret_post';
const NAMED = { name: 'Dana Whitfield', email: 'dana@tidewell.example' };

/** What each of them sends by its nature. */
export const SORTS = {
  /**
   * Times as in tokens in openid/AppAuth-iOS#264, psignoret/aad-sso-wordpress#34 and
   * Azure/azure-cli#20696 and #23192; claims by Microsoft's reference of ID tokens: no
   * email_verified, and often no email.
   */
  entra: {
    methods: [POST, 'private_key_jwt', BASIC],
    claims: {
      ...{ name: NAMED.name, preferred_username: NAMED.email, ver: '2.0' },
      ...{ tid: '0aa1', oid: '7', roles: ['website-staff'] },
    },
    times: { iat: -300, nbf: -300, exp: 3600 },
  },
  /**
   * Google's page on OpenID Connect: hd is the domain; no roles and groups.
   * panva/oauth4webapi#165: takes id and secret by Basic only as they are.
   */
  google: {
    methods: [POST, BASIC],
    takesRaw: true,
    claims: { ...NAMED, email_verified: true, hd: 'tidewell.example', azp: 'site' },
    times: { iat: 0, exp: 3600 },
  },
  /** Okta's page on ID tokens: groups by a claim of one's own; an app takes one method. */
  okta: {
    methods: [BASIC],
    claims: { ...NAMED, email_verified: true, groups: ['Everyone', 'website-staff'], ver: 1 },
    times: { iat: 0, exp: 3600 },
  },
  /** Keycloak's page on its mappers: five minutes, and roles within another claim. */
  keycloak: {
    methods: [POST],
    claims: { ...NAMED, email_verified: false, realm_access: { roles: ['website-staff'] } },
    times: { iat: 0, exp: 300 },
  },
  /** authelia/authelia#6860 (Basic alone), #9003 (4.39: all but the subject at userinfo). */
  authelia: {
    methods: [BASIC],
    claims: { ...NAMED, email_verified: true, groups: ['website-staff'] },
    times: { iat: 0, exp: 3600 },
    atUserinfo: ['name', 'preferred_username', 'email', 'email_verified', 'groups'],
  },
  /** Discovery 1.0, section 3: Basic by default. AD FS: coder/coder#21878, #3954. */
  adfs: {
    claims: {
      ...{ ...NAMED, email_verified: 'true' },
      groups: 'CN=Website Staff,OU=Groups,DC=tidewell,DC=example',
    },
    times: { iat: 0, exp: 3600 },
  },
} satisfies Record<string, Sort>;

/** How an ID token is made wrongly. */
export interface Forgery {
  claims?: (claims: Claims) => Claims;
  header?: Claims;
}

const KEY_ID = 'own';
const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const KEY_SET = {
  keys: [{ ...KEY.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }],
};
const CLIENT = { client_id: 'site', client_secret: 'GOCSPX-a_secret.of~the-site' };

export class TestProvider extends LocalServer {
  /** Those who have an account there, and what their ID token says. */
  readonly people = new Map<string, Claims>();
  /** Who signs in next; null cancels. */
  person: string | null = 'dana';
  /** What every answer to the site is instead. */
  fault: ((response: ServerResponse) => void) | null = null;
  forgery: Forgery | null = null;
  /** What else it does as a provider of that sort. */
  sort: Sort | null = null;
  /** What its document says otherwise. */
  document: Claims = {};
  /** The paths that the site asked for. */
  readonly asked: string[] = [];
  #answer: ReturnType<Provider['callback']> | undefined;

  /** `site`: its origin. */
  static async start(site: string): Promise<TestProvider> {
    const started = await new TestProvider().listen();
    started.#answer = started.#provider(site).callback();
    return started;
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, path] = /^\/(token|jwks|me|\.well-known)/.exec(request.url ?? '') ?? [];
    if (path) this.asked.push(path);
    if (path && this.fault) this.fault(response);
    else if (path === 'token' && this.sort && !takesSecret(this.sort, request))
      refuseClient(response);
    else await this.#answer?.(request, response);
  }

  get variables(): Record<string, string> {
    return {
      OIDC_ISSUER: this.origin,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_ALLOWED:
        'roles=website-staff, realm_access.roles=website-staff, groups=website-staff, hd=tidewell.example,' +
        ' groups="CN=Website Staff,OU=Groups,DC=tidewell,DC=example"',
    };
  }

  #provider(site: string): Provider {
    const provider = new Provider(this.origin, {
      clients: [{ ...CLIENT, redirect_uris: [`${site}/api/admin/oidc/callback`] }],
      claims: {
        openid: ['sub', 'tid', 'oid', 'roles', 'groups', 'realm_access', 'hd', '_claim_names'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified', 'xms_edov'],
      },
      // As most providers do it.
      conformIdTokenClaims: false,
      cookies: { keys: ['a key of the provider'] },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) => {
            context.body = `<!doctype html><title>Sign out</title>${form}`;
          },
        },
      },
      jwks: KEY_SET,
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
      // A browser with windows asks for it, and reports a 404.
      if (context.path === '/favicon.ico') {
        context.status = 204;
        return;
      }
      if (context.path.startsWith('/interaction/')) {
        const outcome =
          this.person === null
            ? { error: 'access_denied' }
            : { login: { accountId: this.person, remember: false } };
        context.respond = false;
        return provider.interactionFinished(context.req, context.res, outcome);
      }
      await next();
      const body: Record<string, unknown> = Object(context.body);
      if (context.path.startsWith('/.well-known')) {
        if (this.sort) body.token_endpoint_auth_methods_supported = this.sort.methods;
        Object.assign(body, this.document);
      }
      const { id_token: token } = body;
      if (context.path !== '/token' || typeof token !== 'string') return;
      const sent = this.sort ? forge(token, { claims: asSentBy(this.sort) }) : token;
      body.id_token = this.forgery ? forge(sent, this.forgery) : sent;
    });
    return provider;
  }
}

function takesSecret({ methods = [BASIC], takesRaw }: Sort, { headers }: IncomingMessage): boolean {
  const [, pair] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
  if (pair === undefined) return methods.includes(POST);
  return methods.includes(BASIC) && !(takesRaw && pair !== btoa(Object.values(CLIENT).join(':')));
}

function refuseClient(response: ServerResponse): void {
  response.writeHead(401, {
    'Content-Type': 'application/json',
    'WWW-Authenticate': 'Basic realm="provider"',
  });
  response.end('{"error":"invalid_client"}');
}

/** The same claims at the times of the sort, without those that are at userinfo. */
function asSentBy({ times, atUserinfo = [] }: Sort): NonNullable<Forgery['claims']> {
  const now = Math.floor(Date.now() / 1000);
  const dated = Object.entries(times).map(([name, seconds]) => [name, now + seconds]);
  const isInToken = ([name]: [string, unknown]) => !atUserinfo.includes(name);
  return (claims) => ({
    ...Object.fromEntries(Object.entries(claims).filter(isInToken)),
    ...Object.fromEntries(dated),
  });
}

/** The ID token with other claims. Its signature no longer fits: over TLS nobody looks at it. */
function forge(token: string, { claims = (all) => all, header }: Forgery) {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const [, body = '', signature = ''] = token.split('.');
  const said: Claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  return [encode({ alg: 'RS256', kid: KEY_ID, ...header }), encode(claims(said)), signature].join(
    '.',
  );
}

/** A site whose staff sign in at the provider, too, for the tests of the file or block. */
export const sharedSiteWithProvider = () => shared(() => startWithProvider());

/** The same for one test. */
export async function ownSiteWithProvider(variables?: Record<string, string>) {
  const site = await startWithProvider(variables);
  onTestFinished(site.stop);
  return site;
}

async function startWithProvider(variables: Record<string, string> = {}) {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const provider = await TestProvider.start(origin);
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
  const stop = async () => {
    await app.stop();
    await provider.stop();
  };
  return { app, provider, stop };
}

/** Begins a sign-in and goes through the provider's pages. Returns the callback, not yet opened. */
export async function throughProvider(visitor: Visitor): Promise<string> {
  const { headers, status } = await visitor.get('/api/admin/oidc');
  let location = new URL(headers.get('location') ?? '', visitor.origin);
  if (status !== 303 || location.origin === visitor.origin)
    return location.pathname + location.search;
  const person = new Visitor(location.origin);
  while (location.origin !== visitor.origin) {
    const answer = await person.get(location.pathname + location.search);
    const next = answer.headers.get('location');
    if (!next) throw new Error(`the provider answered ${answer.status}: ${answer.text}`);
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
