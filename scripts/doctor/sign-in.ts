/** Checks the company's own OpenID provider with the server's own code. */
import { discover, withCauses } from '../../src/staff/oidc-provider.server.ts';
import type { Check } from './report.ts';

export const checkSignIn: Check = async (report, { env: { oidc, staffPassword } }) => {
  if (!oidc) return;
  const { href } = oidc.issuer;
  try {
    await discover(oidc);
    report.ok(`${href} answers; register ${oidc.redirectUri} there as a redirect URI`);
  } catch (error) {
    const causes = withCauses(error).flatMap(({ message }) => message || []);
    report.error(
      `${href} does not answer as an OpenID provider: ${causes.join(': ')}`,
      'See whether this machine reaches it, and that OIDC_ISSUER is what its own' +
        ' /.well-known/openid-configuration names as issuer.',
    );
  }
  if (!staffPassword)
    report.warning(
      'the password door is closed: while the provider is away, nobody can sign in',
      'To open it, set STAFF_PASSWORD=on and restart the server;' +
        ' npm run admin:password sets the password.',
    );
};
