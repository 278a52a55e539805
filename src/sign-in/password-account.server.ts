/** The account with a password, from the environment or `npm run admin:password`, the later one. */
import { sql } from 'kysely';
import type { Db, NewRow, Row } from '../platform/database/tables.server.ts';
import { foldName } from '../staff/account-store.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import type { Credentials } from '../staff/staff-api.ts';
import { hashPassword, passwordMatches } from './password.server.ts';

export interface AdminSettings {
  username: string;
  password: string;
  demo: boolean;
  isPublic: boolean;
}

export const NO_SECOND_FACTOR = { totpSecret: null, totpStep: 0, recoveryCodes: '[]' };

/** Whether the sign-in asks for a code. It asks everyone, since only some would say who has one. */
export async function asksForCode(db: Db): Promise<boolean> {
  const users = db.selectFrom('accounts').select('id').where('totpSecret', 'is not', null);
  return (await users.limit(1).executeTakeFirst()) !== undefined;
}

export function hasPublicPassword(user: Row<'accounts'>, { isPublic }: AdminSettings): boolean {
  return isPublic && user.passwordHash === user.environmentHash;
}

export async function findUser(db: Db, username: string) {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('name', '=', username)
    .where('externalKey', 'is', null)
    .executeTakeFirst();
}

/**
 * Creates the environment's account, or sets its password when the variable has changed since the
 * last start; never one that was set by hand. An account that it named earlier is deleted, so that
 * no forgotten login remains. An authenticator stays, except with the demo password.
 */
export async function syncAdminAccount(db: Db, environment: AdminSettings): Promise<void> {
  const { username, password, demo, isPublic } = environment;
  await db
    .deleteFrom('accounts')
    .where('name', '!=', username)
    .where('environmentHash', 'is not', null)
    .execute();
  const user = await findUser(db, username);
  if (user && demo && user.passwordHash !== user.environmentHash) return;
  if (user?.environmentHash && (await passwordMatches(password, user.environmentHash, 'known')))
    return;
  const hash = await hashPassword(password);
  await changePassword(
    db,
    {
      name: username,
      passwordHash: hash,
      environmentHash: hash,
      ...(isPublic && NO_SECOND_FACTOR),
    },
    'from the environment',
  );
}

/**
 * Sets the password by hand and takes the authenticator away; false for an unknown name. `earlier`:
 * the environment's password, which a new account then leaves behind.
 */
export async function setPassword(
  db: Db,
  username: string,
  password: string,
  earlier: string | null = null,
): Promise<boolean> {
  const users = await db
    .selectFrom('accounts')
    .select('name')
    .where('externalKey', 'is', null)
    .execute();
  if (users.length > 0 && !users.some(({ name }) => name === username)) return false;
  const passwordHash = await hashPassword(password);
  const isNew = users.length === 0;
  const account = {
    name: username,
    passwordHash,
    ...(isNew && earlier && { environmentHash: await hashPassword(earlier) }),
    ...NO_SECOND_FACTOR,
  };
  await changePassword(db, account, 'by npm run admin:password');
  return true;
}

/** The demo credentials, which the sign-in page shows; null once they open nothing. */
export async function demoCredentials(
  db: Db,
  { username, password, demo }: AdminSettings,
): Promise<Credentials | null> {
  const user = demo ? await findUser(db, username) : undefined;
  return user && user.passwordHash === user.environmentHash ? { username, password } : null;
}

async function changePassword(
  db: Db,
  { name, ...changes }: Omit<NewRow<'accounts'>, 'foldedName'>,
  detail: string,
): Promise<void> {
  const foldedName = foldName(name);
  await db.transaction().execute(async (trx) => {
    // A work account of that name gives way to it.
    await trx
      .updateTable('accounts')
      .set(({ ref }) => ({
        // Namesakes have a number or an address there: this form is no one else's.
        name: sql`${ref('name')} || ' (account ' || ${ref('id')} || ')'`,
        foldedName: sql`${ref('foldedName')} || '(account' || ${ref('id')} || ')'`,
      }))
      .where('foldedName', '=', foldedName)
      .where('externalKey', 'is not', null)
      .execute();
    const { id } = await trx
      .insertInto('accounts')
      .values({ name, foldedName, ...changes })
      .onConflict((conflict) => conflict.column('foldedName').doUpdateSet({ name, ...changes }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx.deleteFrom('sessions').where('accountId', '=', id).execute();
    const by = { accountId: id, name };
    await recordAudit(trx, { kind: 'password-changed', by, detail });
  });
}
