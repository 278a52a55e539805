/** Checks the company's own OpenID provider with the server's own code. */
import * as client from 'openid-client';
import type { Env } from '../../src/env.server.ts';
import { isMigrated, openUnmigrated } from '../../src/platform/database/database.server.ts';
import type { Db } from '../../src/platform/database/tables.server.ts';
import { DAY_MS, isoTime } from '../../src/platform/time.ts';
import {
  describeSignInFault,
  discover,
  outcomeOf,
  secretMethod,
} from '../../src/sign-in/oidc-provider.server.ts';
import type { OidcEnv } from '../../src/sign-in/oidc-settings.server.ts';
import { withDatabase } from '../command.ts';
import { hasDatabase } from './database.ts';
import type { Check, Report } from './report.ts';

export const checkSignIn: Check = async (report, { env, content }) => {
  const { oidc, staffPassword } = env;
  const look = (act: (db: Db) => Promise<void>) =>
    withDatabase(openUnmigrated(env, { alongsideServer: true }), async (database) => {
      if (await isMigrated(database)) await act(database.db);
      // The check of the database says why not.
    }).catch(() => undefined);
  if (hasDatabase(env) && staffPassword)
    await look((db) => reportNameless(report, db, content.company.supportName));
  if (!oidc) return;
  await checkProvider(report, oidc);
  checkAllowed(report, oidc);
  if (hasDatabase(env)) await look((db) => reportRefusals(report, db));
  if (!staffPassword)
    report.warning(
      'the password sign-in is off: while the provider is away, no one can sign in',
      `${howToOpen(env)} and restart the server; npm run admin:password changes the password.`,
    );
};

/** Without a password of its own, a server that strangers may reach does not start. */
export function howToOpen({ admin }: Pick<Env, 'admin'>): string {
  return `Set STAFF_PASSWORD=on${admin.isPublic ? ' and ADMIN_PASSWORD to the password' : ''}`;
}

async function checkProvider(report: Report, oidc: OidcEnv): Promise<void> {
  const { href } = oidc.issuer;
  const cure =
    'Set OIDC_ISSUER to what its own /.well-known/openid-configuration names as issuer,' +
    ' to the last slash, and see whether this machine reaches it.';
  try {
    const configuration = await discover(oidc);
    report.ok(`${href} answers; register ${oidc.redirectUri} there as a redirect URI`);
    await checkSecret(report, oidc, configuration);
  } catch (error) {
    const { causes, ...wrong } = describeSignInFault(error);
    const text =
      'claim' in wrong
        ? `the ${wrong.claim} is ${wrong.wanted} here, and ${wrong.got} at the provider`
        : `${href} does not answer as an OpenID provider: ${causes.join(': ')}`;
    report.error(text, cure);
  }
}

/** With an invented code: a provider that looks at the secret first refuses a wrong one. */
async function checkSecret(
  report: Report,
  { redirectUri }: OidcEnv,
  configuration: client.Configuration,
): Promise<void> {
  const document = configuration.serverMetadata();
  if (!secretMethod(document))
    return report.error(
      'the provider takes a secret neither by HTTP Basic nor in the body',
      'Let the app that you registered there sign in with a client secret.',
    );
  const url = new URL(redirectUri);
  url.search = `${new URLSearchParams({ code: 'doctor', iss: document.issuer })}`;
  const outcome = await client.authorizationCodeGrant(configuration, url).catch(outcomeOf);
  if (outcome === 'secret')
    report.error(
      'the provider refuses OIDC_CLIENT_ID with OIDC_CLIENT_SECRET',
      'Make a new secret there, since this one may have expired, and copy its value, not its id.',
    );
}

/** Claims that the big providers never send, or not always. */
export function checkAllowed(
  report: Report,
  { issuer, allowed }: Pick<OidcEnv, 'issuer' | 'allowed'>,
): void {
  const { hostname } = issuer;
  const isEntra = /^(login\.microsoftonline\.(com|us)|login\.chinacloudapi\.cn)$/.test(hostname);
  const names = new Set(allowed.map(({ claim }) => claim));
  if (isEntra && names.has('groups'))
    report.warning(
      'Entra leaves the groups out for people who are in more than 200, who then cannot sign in',
      'Use app roles: OIDC_ALLOWED=roles=website-staff.',
    );
  if (isEntra && names.has('email'))
    report.warning(
      'Entra does not say by itself whether an email address is verified, so email= matches nobody',
      'Use app roles, or add the optional claims email and xms_edov to the app registration.',
    );
  if (hostname === 'accounts.google.com' && (names.has('roles') || names.has('groups')))
    report.warning('Google sends no roles and no groups', 'Use hd= with your domain.');
}

/** Accounts with a password get the name that customers read on the account page alone. */
async function reportNameless(report: Report, db: Db, supportName: string): Promise<void> {
  const nameless = await db
    .selectFrom('accounts')
    .select('name')
    .where('externalKey', 'is', null)
    .where('publicName', 'is', null)
    .execute();
  for (const { name } of nameless)
    report.ok(
      `customers read '${supportName}' on answers of ${name}; the account page sets a name`,
    );
}

/** What was looked for in the tokens of the last day, and what came. */
async function reportRefusals(report: Report, db: Db): Promise<void> {
  const refused = await db
    .selectFrom('audit')
    .select(['at', 'detail'])
    .where('kind', '=', 'sign-in-failed')
    .where('detail', '!=', '')
    .where('at', '>', Date.now() - DAY_MS)
    .orderBy('at', 'desc')
    .limit(3)
    .execute();
  for (const { at, detail } of refused)
    report.warning(
      `refused on ${isoTime(at)}: ${detail}`,
      'If this person should get in, change OIDC_ALLOWED or what the provider sends, or unblock the account.',
    );
}
