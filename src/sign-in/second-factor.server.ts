/** The second factor: authenticator codes and recovery codes (docs/decisions/106). */

import { hash, randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { formatDateTime } from '../company/days.ts';
import { KNOWN_BROWSER_SECONDS, RECOVERY_CODES } from '../limits.ts';
import type { NotificationKind, Notify } from '../notifications/notification.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse, refuseField } from '../platform/http/answer.server.ts';
import {
  type Call,
  type CallRequest,
  call,
  type SignInMethod,
} from '../platform/http/call.server.ts';
import { fallback, parseJson } from '../platform/schema.ts';
import { STAFF_PAGES } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { findUserById } from '../staff/account-store.server.ts';
import { type AuditEvent, recordAudit } from '../staff/audit-store.server.ts';
import { otherSessions } from '../staff/sessions.server.ts';
import { type AuditKind, auditLabel } from '../staff/staff-api.ts';
import {
  type AdminSettings,
  hasPublicPassword,
  NO_SECOND_FACTOR,
} from './password-account.server.ts';
import {
  type Accepted,
  type AccountChange,
  KNOWN_BROWSER,
  knownBrowserCookie,
  proveAccount,
} from './prove-account.server.ts';
import {
  GET_SECOND_FACTOR,
  NEW_RECOVERY_CODES,
  NEW_SECRET,
  type Proof,
  REMOVE,
  SET_UP,
} from './second-factor-api.ts';
import { acceptedStep, keyUri, newSecret } from './totp.server.ts';

const REFUSALS = {
  provider: 'Your account is protected by the company’s own sign-in.',
  demo: 'The demo password is public, so no authenticator can be set up with it.',
  on: 'An authenticator is already set up. Reload this page.',
  off: 'No authenticator is set up. Reload this page.',
};
const WRONG_FIRST_CODE =
  'This code doesn’t match. Check that the phone sets its time automatically, then enter the next code.';
/** For someone whose password is right. */
export const USED_CODE = 'This code has been used. Please wait for the next code of the app.';
const WRONG_PROOF = 'The password or the code is wrong';

export function secondFactorCalls(site: Site): Call[] {
  const { db, env, company } = site;
  return [
    call(GET_SECOND_FACTOR, { access: 'staff', beforeSetUp: true }, async ({ staff }) => {
      const user = await findUserById(db, staff.accountId);
      const recoveryCodes = recoveryHashes(user).length;
      return { state: stateOf(user, staff.signInMethod, env.admin), recoveryCodes };
    }),
    call(NEW_SECRET, { access: 'staff', beforeSetUp: true }, async ({ staff }) => {
      const user = await findUserById(db, staff.accountId);
      const state = stateOf(user, staff.signInMethod, env.admin);
      if (state !== 'off') return refuse(409, REFUSALS[state]);
      const secret = newSecret();
      return { secret, uri: keyUri(company.name, staff.name, secret) };
    }),
    call(SET_UP, { access: 'staff', beforeSetUp: true }, async (request) => {
      const { secret: totpSecret, code } = request.body;
      const at = { lastStep: 0, now: Date.now() };
      const totpStep = acceptedStep(totpSecret, plain(code), at);
      if (totpStep === undefined) return refuseField('code', WRONG_FIRST_CODE);
      const recoveryCodes = newRecoveryCodes();
      const setUp = { totpSecret, totpStep, recoveryCodes: hashesOf(recoveryCodes) };
      const unlessSetUp = (user: Row<'accounts'>) =>
        user.totpSecret === null ? { ...setUp, ...nextVersion(user) } : undefined;
      return change(site, request, 'second-factor-on', unlessSetUp, { recoveryCodes });
    }),
    call(NEW_RECOVERY_CODES, 'staff', (request) => {
      const recoveryCodes = newRecoveryCodes();
      const accept = (user: Row<'accounts'>) =>
        changeWith(user, request.body.code, { recoveryCodes: hashesOf(recoveryCodes) });
      return change(site, request, 'recovery-codes-made', accept, { recoveryCodes });
    }),
    call(REMOVE, 'staff', (request) => {
      const accept = (user: Row<'accounts'>) =>
        changeWith(user, request.body.code, { ...NO_SECOND_FACTOR, ...nextVersion(user) });
      return change(site, request, 'second-factor-off', accept, null);
    }),
  ];
}

/** Changes the account by password and code. `kind` says what has changed, `answer` is sent. */
async function change<Answer>(
  site: Site,
  { staff, address, body, ...request }: CallRequest<Proof, 'staff'>,
  kind: AuditKind,
  acceptCode: (user: Row<'accounts'>) => Accepted,
  answer: Answer,
): Promise<Answer | Response> {
  const { db, env, notify } = site;
  const user = await findUserById(db, staff.accountId);
  const state = stateOf(user, staff.signInMethod, env.admin);
  const wanted = kind === 'second-factor-on' ? 'off' : 'on';
  if (state !== wanted) return refuse(409, REFUSALS[state]);
  const changed = await proveAccount(
    site,
    { address, ...request },
    {
      user,
      username: user.name,
      password: body.password,
      acceptCode,
      failure: 'proof-failed',
      refuse: (codeWasUsed) => refuse(403, codeWasUsed ? USED_CODE : WRONG_PROOF),
    },
    async (trx) => {
      // An intruder with the password alone is out, and a lost phone's owner is alone again.
      if (kind !== 'recovery-codes-made') await otherSessions(trx, staff).execute();
      await recordAndNotify(trx, notify, { kind, by: staff, address });
      return answer;
    },
  );
  if (!(changed instanceof Response)) {
    const known = await knownBrowserCookie(db, await findUserById(db, staff.accountId));
    request.cookies.set(KNOWN_BROWSER, known, KNOWN_BROWSER_SECONDS);
  }
  return changed;
}

function stateOf(
  user: Row<'accounts'>,
  method: SignInMethod,
  admin: AdminSettings,
): keyof typeof REFUSALS {
  if (method !== 'password') return 'provider';
  if (hasPublicPassword(user, admin)) return 'demo';
  return user.totpSecret === null ? 'off' : 'on';
}

/** What an accepted code changes: nothing without an authenticator. Undefined if refused. */
export function acceptCode(user: Row<'accounts'>, code: string): Accepted {
  if (user.totpSecret === null) return {};
  const given = plain(code);
  const at = { lastStep: user.totpStep, now: Date.now() };
  const totpStep = acceptedStep(user.totpSecret, given, at);
  if (totpStep !== undefined) return { totpStep };
  if (acceptedStep(user.totpSecret, given, { ...at, lastStep: 0 }) !== undefined) return 'used';
  const left = recoveryHashes(user);
  const others = left.filter((each) => each !== hashOf(given));
  return others.length < left.length ? { recoveryCodes: JSON.stringify(others) } : undefined;
}

function changeWith(user: Row<'accounts'>, code: string, change: AccountChange): Accepted {
  const accepted = acceptCode(user, code);
  return typeof accepted === 'object' ? { ...accepted, ...change } : accepted;
}

/** Makes what browsers were known by before worthless. */
function nextVersion({ secondFactorVersion }: Row<'accounts'>) {
  return { secondFactorVersion: secondFactorVersion + 1 };
}

/** Without the spaces and dashes with which people read and type codes. */
function plain(code: string): string {
  return code.replace(/[\s\p{Pd}]/gu, '');
}

/** '0123-4567-8901-2345', since phones offer only digits for a code. */
function newRecoveryCodes(): string[] {
  const group = () => String(randomInt(10_000)).padStart(4, '0');
  return Array.from({ length: RECOVERY_CODES }, () =>
    [group(), group(), group(), group()].join('-'),
  );
}

function hashesOf(codes: readonly string[]): string {
  return JSON.stringify(codes.map((code) => hashOf(plain(code))));
}

const hashOf = (plainCode: string) => hash('sha256', plainCode);

const storedHashes = fallback(z.array(z.string()), []);

function recoveryHashes({ recoveryCodes }: Row<'accounts'>): string[] {
  return storedHashes.parse(parseJson(recoveryCodes));
}

/** Records what happened to an account's second factor, and notifies all staff of it. */
export async function recordAndNotify(trx: Db, notify: Notify, event: AuditEvent): Promise<void> {
  await notify(trx, secondFactorChanged, await recordAudit(trx, event));
}

export const secondFactorChanged: NotificationKind<Row<'audit'>> = {
  kind: 'second-factor-changed',
  label: 'Security',
  find: (db, id) => db.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirst(),
  reference: (id) => `K-${id}`,
  topic: ({ accountId }) => `account ${accountId}`,
  audiences: () => ['staff'],
  staffMessage({ kind, name, address, at }, { company, publicUrl }) {
    return {
      title: auditLabel(kind),
      warning:
        'If it was none of you: run npm run admin:password on the server. It ends all sessions.',
      facts: [
        ['Account', name],
        ['Address', address],
        ['Time', formatDateTime(company, at)],
      ],
      reply: null,
      staffUrl: `${publicUrl}${STAFF_PAGES.account.path}`,
    };
  },
};
