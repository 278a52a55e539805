/** The variables of the company's own OpenID provider, and of the password beside it. */
import * as z from 'zod/mini';
import {
  type AddFault,
  checkTogether,
  choice,
  privateUrl,
  textThat,
} from '../platform/config/env-fields.server.ts';

export const oidcVariables = {
  OIDC_ISSUER: privateUrl(),
  OIDC_CLIENT_ID: z.optional(z.string()),
  OIDC_CLIENT_SECRET: z.optional(z.string()),
  OIDC_ALLOWED: textThat(
    (value) => readAllowed(value)?.every(isPermitted) ?? false,
    'must be pairs of a claim and a value, separated by commas, such as roles=website-staff or' +
      ' hd=example.com. A value with a comma, = or quote stands in double quotes:' +
      ' groups="CN=Website Staff,DC=example" (a quote within is written twice). Claims that everyone' +
      ' of the provider has, or that people can change themselves (iss, aud, tid, email_verified,' +
      ' name, address, preferred_username, upn and the like), keep no one out',
  ),
  STAFF_PASSWORD: choice('on', 'off'),
};

const variables = z.object(oidcVariables);
type OidcVariables = z.output<typeof variables> & { PUBLIC_URL?: URL | undefined };
export type OidcEnv = NonNullable<ReturnType<typeof oidcSettings>>;

/** A claim, and the value that it must have or contain. */
export interface AllowedClaim {
  claim: string;
  value: string;
}

const NEEDED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ALLOWED'];

export function checkOidc(env: OidcVariables, addFault: AddFault): void {
  checkTogether(env, NEEDED, addFault);
  const { OIDC_ISSUER: issuer, PUBLIC_URL: publicUrl, STAFF_PASSWORD: password } = env;
  if (password === 'off' && !issuer)
    addFault('STAFF_PASSWORD', `must be on without ${NEEDED.join(', ')}: nobody could sign in`);
  if (!issuer) return;
  if (!publicUrl)
    addFault('PUBLIC_URL', 'is missing: the provider leads staff back to it (OIDC_ISSUER)');
  if (issuer.search !== '' || issuer.hash !== '')
    addFault('OIDC_ISSUER', 'must be the address of the provider and nothing else');
  if (/^\/(common|organizations|consumers)(\/|$)/i.test(issuer.pathname))
    addFault('OIDC_ISSUER', 'must name your own tenant, not all of them, in place of common');
}

/** Null without a provider. */
export function oidcSettings({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_ALLOWED: allowed,
  PUBLIC_URL: publicUrl,
}: OidcVariables) {
  if (!issuer || !clientId || !clientSecret || !allowed || !publicUrl) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    allowed: readAllowed(allowed) ?? [],
    /** To be registered at the provider. Never made from a request's own host. */
    redirectUri: `${publicUrl.origin}/api/admin/oidc/callback`,
  };
}

/** A pair; its value is in double quotes, or without a sign that would need them. */
const PAIR = /\s*([^\s=,"']+)\s*=\s*(?:"((?:[^"]|"")*)"\s*|([^=,"'\\\s][^=,"'\\]*)?)(?:,|$)/y;

/** Undefined if it can't be read whole. */
function readAllowed(value: string): AllowedClaim[] | undefined {
  const pairs: AllowedClaim[] = [];
  PAIR.lastIndex = 0;
  for (let end = 0; end < value.length; end = PAIR.lastIndex) {
    const [, claim = '', quoted, plain = ''] = PAIR.exec(value) ?? [];
    if (claim === '') return undefined;
    pairs.push({ claim, value: quoted?.replaceAll('""', '"') ?? plain.trim() });
  }
  return value.trimEnd().endsWith(',') ? undefined : pairs;
}

/** Claims that everyone has or can edit, and those of the sign-in itself. */
const KEEPS_NO_ONE_OUT = new Set([
  ...['iss', 'aud', 'azp', 'tid', 'ver', 'acr', 'amr', 'typ', 'scope', 'scp', 'locale', 'idp'],
  ...['iat', 'exp', 'nbf', 'auth_time', 'nonce', 'jti', 'sid', 'at_hash', 'c_hash', 's_hash'],
  ...['email_verified', 'xms_edov', 'phone_number_verified', 'updated_at', 'gender', 'birthdate'],
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username'],
  ...['upn', 'unique_name', 'profile', 'picture', 'website', 'zoneinfo', 'phone_number', 'address'],
]);

/** A path is in the claim that it begins with: `address.country`. */
function isPermitted({ claim, value }: AllowedClaim): boolean {
  const [top = ''] = claim.split('.');
  return top !== '' && value !== '' && value !== '*' && !KEEPS_NO_ONE_OUT.has(top);
}
