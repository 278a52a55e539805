/** The accounts that have signed in: staff list them, and block work accounts. */

import { MAX_LISTED } from '../limits.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { refuse, refuseField } from '../platform/http/answer.server.ts';
import { type Call, call, type StaffRequest } from '../platform/http/call.server.ts';
import { isoTime } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { foldName } from './account-store.server.ts';
import { recordAudit } from './audit-store.server.ts';
import { BLOCK_ACCOUNT, LIST_ACCOUNTS, SET_PUBLIC_NAME, type StaffAccount } from './staff-api.ts';

export function staffAccountCalls({ db }: Site): Call[] {
  return [
    call(LIST_ACCOUNTS, 'staff', ({ staff }) => listAccounts(db, staff.accountId)),
    call(SET_PUBLIC_NAME, 'staff', ({ body, ...by }) => setPublicName(db, body.name, by)),
    call(BLOCK_ACCOUNT, 'staff', async ({ id, body, ...by }) => {
      if (id === by.staff.accountId) return refuse(409, 'You can’t block your own account');
      const account = await setBlocked(db, id, body.blocked, by);
      return account ? null : refuse(404, 'Account not found');
    }),
  ];
}

async function listAccounts(db: Db, ownId: number): Promise<StaffAccount[]> {
  const rows = await db
    .selectFrom('accounts')
    .selectAll()
    .where('signedInAt', 'is not', null)
    .orderBy('signedInAt', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ id, name, email, publicName, externalKey, signedInAt, blockedAt }) => ({
    id,
    name,
    email,
    publicName,
    work: externalKey !== null,
    signedInAt: isoTime(signedInAt ?? 0),
    blocked: blockedAt !== null,
    current: id === ownId,
  }));
}

/** A work account's name comes from the provider. */
async function setPublicName(db: Db, publicName: string, { staff, address }: StaffRequest) {
  const folded = foldName(publicName);
  const namesake = await db
    .selectFrom('accounts')
    .select('id')
    .where('foldedName', '=', folded)
    .executeTakeFirst();
  if (namesake)
    return refuseField('name', namesake.id === staff.accountId ? SIGN_IN_NAME : COLLEAGUES_NAME);
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ publicName })
      .where('id', '=', staff.accountId)
      .where('externalKey', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return refuse(409, 'Your name comes from your work account');
    await recordAudit(trx, { kind: 'public-name-set', by: staff, address, detail: publicName });
    return null;
  });
}

const SIGN_IN_NAME = 'You sign in with this name, so customers should read another one';
const COLLEAGUES_NAME = 'A colleague has this name';

/** Returns false if there is no such work account. */
function setBlocked(db: Db, accountId: number, blocked: boolean, { staff, address }: StaffRequest) {
  return db.transaction().execute(async (trx) => {
    const account = await trx
      .updateTable('accounts')
      .set({ blockedAt: blocked ? Date.now() : null })
      .where('id', '=', accountId)
      .where('externalKey', 'is not', null)
      .returning('name')
      .executeTakeFirst();
    if (!account) return false;
    await trx.deleteFrom('sessions').where('accountId', '=', accountId).execute();
    const kind = blocked ? 'account-blocked' : 'account-unblocked';
    await recordAudit(trx, { kind, by: staff, address, detail: account.name });
    return true;
  });
}
