/**
 * The staff account. Its password comes from the environment or from `npm run admin:password`, whichever was set last
 * (docs/operations.md).
 */
import type { Generated } from 'kysely';
import type { Env } from '../platform/config/env.server.ts';
import type { Db, NewRow } from '../platform/database/tables.server.ts';
import { recordAudit } from './audit-store.server.ts';
import { hashPassword, passwordMatches } from './password.server.ts';
import type { Credentials } from './staff-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    users: UserTable;
  }
}

interface UserTable {
  id: Generated<number>;
  username: string;
  passwordHash: string;
  /** The hash of the last password that came from the environment, even if another one has been set since. */
  environmentHash: string | null;
}

export async function findUser(db: Db, username: string) {
  return db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst();
}

/**
 * Creates the account that the environment names, or gives it the environment's password when that has changed since the
 * last start. The demo password never replaces one that was set by hand. The account that the environment named before is
 * deleted, so that no forgotten one stays behind; accounts of colleagues stay.
 */
export async function keepAdminAccount(db: Db, environment: Env['admin']): Promise<void> {
  const { username, password, demo } = environment;
  await db
    .deleteFrom('users')
    .where('username', '!=', username)
    .where('environmentHash', 'is not', null)
    .execute();
  const user = await findUser(db, username);
  if (user && demo && user.passwordHash !== user.environmentHash) return;
  if (user?.environmentHash && (await passwordMatches(password, user.environmentHash, 'known')))
    return;
  const hash = await hashPassword(password);
  await changePassword(
    db,
    { username, passwordHash: hash, environmentHash: hash },
    'from the environment',
  );
}

/** Sets the password by hand and ends the account's sessions; false when there are accounts, and none has this name. */
export async function setPassword(db: Db, username: string, password: string): Promise<boolean> {
  const users = await db.selectFrom('users').select('username').execute();
  if (users.length > 0 && !users.some((user) => user.username === username)) return false;
  const passwordHash = await hashPassword(password);
  await changePassword(db, { username, passwordHash }, 'by npm run admin:password');
  return true;
}

/** The demo credentials for the sign-in page, while they are in force; otherwise null. */
export async function demoCredentials(
  db: Db,
  { username, password, demo }: Env['admin'],
): Promise<Credentials | null> {
  const user = demo ? await findUser(db, username) : undefined;
  return user && user.passwordHash === user.environmentHash ? { username, password } : null;
}

async function changePassword(
  db: Db,
  { username, ...hashes }: NewRow<'users'>,
  detail: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('users')
      .values({ username, ...hashes })
      .onConflict((conflict) => conflict.column('username').doUpdateSet(hashes))
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx.deleteFrom('sessions').where('userId', '=', id).execute();
    await recordAudit(trx, { kind: 'password-changed', username, detail });
  });
}
