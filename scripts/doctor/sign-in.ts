/** Checks the company's own OpenID provider with the server's own code. */
import * as client from 'openid-client';
import { openUnmigrated } from '../../src/platform/database/database.server.ts';
import { DAY_MS, isoTime } from '../../src/platform/time.ts';
import {
  describeFault,
  discover,
  outcomeOf,
  secretMethod,
} from '../../src/staff/oidc-provider.server.ts';
import type { OidcEnv } from '../../src/staff/oidc-settings.server.ts';
import { withDatabase } from '../command.ts';
import type { Check, Report } from './report.ts';

export const checkSignIn: Check = async (report, { env }) => {
  const { oidc, staffPassword } = env;
  if (!oidc) return;
  const { href } = oidc.issuer;
  try {
    const configuration = await discover(oidc);
    report.ok(`${href} answers; register ${oidc.redirectUri} there as a redirect URI`);
    await checkSecret(report, oidc, configuration);
  } catch (error) {
    const { claim, wanted, got, causes } = { claim: '', wanted: '', got: '', ...describeFault(error) };
    if (claim === 'issuer')
      report.error(`OIDC_ISSUER is ${wanted}, and the provider calls itself ${got}`, SAME);
    else
      report.error(
        `${href} does not answer as an OpenID provider: ${causes.join(': ')}`,
        `See whether this machine reaches it. ${SAME}`,
      );
  }
  checkAllowed(report, oidc);
  await withDatabase(openUnmigrated(env, { alongsideServer: true }), ({ db }) =>
    reportRefusals(report, db),
  );
  if (!staffPassword)
    report.warning(
      'the password door is closed: while the provider is away, no one can sign in',
      'To open it, set STAFF_PASSWORD=on and restart the server;' +
        ' npm run admin:password sets the password.',
    );
};
