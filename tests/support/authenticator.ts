/** An authenticator app on a member of staff's phone. */
import { codeOf } from '../../src/sign-in/totp.server.ts';
import { OWN_PASSWORD } from './test-app.ts';
import type { Visitor } from './visitor.ts';

export const PASSWORD = OWN_PASSWORD.ADMIN_PASSWORD;

/** The code that the app shows, on a phone whose clock is `aheadMs` ahead. */
export function codeNow(secret: string, aheadMs = 0): string {
  return codeOf(secret, Math.floor((Date.now() + aheadMs) / 30_000));
}

export async function newSecretFor(staff: Visitor): Promise<string> {
  const { status, json } = await staff.post('/api/admin/second-factor/secret');
  if (status !== 200) throw new Error(`no secret: ${status}`);
  return json.secret;
}

export function confirm(staff: Visitor, secret: string, code = codeNow(secret)) {
  return staff.post('/api/admin/second-factor', { secret, password: PASSWORD, code });
}

/** Sets one up, and returns its secret and the recovery codes. */
export async function setUpAuthenticator(
  staff: Visitor,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const secret = await newSecretFor(staff);
  const { status, text, json } = await confirm(staff, secret);
  if (status !== 200) throw new Error(`not set up: ${status} ${text}`);
  return { secret, recoveryCodes: json.recoveryCodes };
}
