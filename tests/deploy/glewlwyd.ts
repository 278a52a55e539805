/** Glewlwyd, an OpenID provider that we did not write, with one member of staff. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TABLES = '/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz';
const MODULES = '/usr/lib/glewlwyd';
/** As the package's tables have it. */
const ADMIN = { username: 'admin', password: 'password' };
const STAFF = { username: 'dana', password: 'a password at work' };

export const hasGlewlwyd = () =>
  ['glewlwyd', 'sqlite3'].every((program) => !spawnSync(program, ['--version']).error);

/** `origin`: of the site. */
export async function startGlewlwyd(origin: string) {
  const folder = temporaryFolder();
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const issuer = `${address}/api/oidc`;
  execFileSync('sqlite3', [join(folder, 'provider.db')], {
    input: gunzipSync(readFileSync(TABLES)),
  });
  const settings = {
    ...{ port, bind_address: '127.0.0.1', external_url: address, login_url: 'login.html' },
    ...{ api_prefix: 'api', log_mode: 'console', log_level: 'WARNING', cookie_secure: 0 },
    ...{ admin_scope: 'g_admin', profile_scope: 'g_profile', hash_algorithm: 'SHA512' },
    user_module_path: `${MODULES}/user`,
    client_module_path: `${MODULES}/client`,
    user_auth_scheme_module_path: `${MODULES}/scheme`,
    plugin_module_path: `${MODULES}/plugin`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const database = `database = { type = "sqlite3" path = "${folder}/provider.db" };`;
  writeFileSync(join(folder, 'provider.conf'), [...lines, database, ''].join('\n'));
  const child = spawn('glewlwyd', ['-c', join(folder, 'provider.conf')], { stdio: 'ignore' });

  async function ask(path: string, cookie = '', body?: object, method = 'POST') {
    const answer = await fetch(address + path, {
      method: body ? method : 'GET',
      headers: { cookie, 'Content-Type': 'application/json' },
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
  async function signIn(account: object): Promise<string> {
    const { headers } = await ask('/api/auth/', '', account);
    return headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
  }

  await eventually(() => signIn(ADMIN));
  const admin = await signIn(ADMIN);
  // Groups are no field of an account until the operator adds it.
  const users = await (await ask('/api/mod/user/database', admin)).json();
  users.parameters['data-format'].groups = { multiple: true, read: true, write: true };
  await ask('/api/mod/user/database', admin, users, 'PUT');
  await ask('/api/mod/user/database/reset/', admin, {}, 'PUT');
  for (const name of ['profile', 'email'])
    await ask('/api/scope/', admin, { name, display_name: name, password_required: false });
  const scopes = ['openid', 'profile', 'email'];
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = (key: KeyObject, type: 'spki' | 'pkcs8') => key.export({ format: 'pem', type });
  await ask('/api/mod/plugin/', admin, {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OpenID Connect',
    parameters: {
      iss: issuer,
      ...{ 'jwt-type': 'rsa', 'jwt-key-size': '256' },
      ...{ key: pem(privateKey, 'pkcs8'), cert: pem(publicKey, 'spki') },
      ...{ 'auth-type-code-enabled': true, 'pkce-allowed': true, 'subject-type': 'public' },
      ...{ 'access-token-duration': 3600, 'refresh-token-duration': 3600, 'code-duration': 60 },
      ...{ 'jwks-show': true, 'allowed-scope': scopes },
      ...{ 'name-claim': 'mandatory', 'email-claim': 'mandatory' },
      claims: [{ name: 'groups', 'user-property': 'groups', type: 'string', mandatory: true }],
    },
  });
  // By Basic it arrives percent-encoded (RFC 6749, 2.3.1), which Glewlwyd 2.7 does not decode.
  const secret = 'secretOfTheSite1';
  await ask('/api/client/', admin, {
    ...{ client_id: 'site', name: 'The website', enabled: true, confidential: true },
    ...{ client_secret: secret, password: secret },
    redirect_uri: [`${origin}/api/admin/oidc/callback`],
    authorization_type: ['code'],
    token_endpoint_auth_method: ['client_secret_basic'],
    scope: [],
  });
  await ask('/api/user/', admin, {
    ...STAFF,
    ...{ name: 'Dana Whitfield', email: 'dana@tidewell.example', enabled: true },
    ...{ groups: ['everyone', 'website-staff'], scope: ['g_profile', ...scopes] },
  });
  // Consent, given once.
  const granted = { scope: scopes.join(' ') };
  await ask('/api/auth/grant/site/', await signIn(STAFF), granted, 'PUT');
  return {
    variables: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'site',
      OIDC_CLIENT_SECRET: secret,
      OIDC_ALLOWED: 'groups=website-staff',
    },
    /** Staff sign in there, and are sent on to the site. Returns where to. */
    async through(location: string): Promise<string> {
      const cookie = await signIn(STAFF);
      const { pathname, search } = new URL(location);
      const { status, headers } = await ask(`${pathname}${search}&g_continue`, cookie);
      expect([302, 303]).toContain(status);
      return headers.get('location') ?? '';
    },
    stop: () => child.kill(),
  };
}
