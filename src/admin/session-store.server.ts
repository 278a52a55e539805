/** Staff accounts and their sessions. A session's token is known to the browser alone; its hash is stored. */
import type { Kysely } from 'kysely';
import type { Staff } from '../platform/call.server.ts';
import { newToken, tokenHash } from '../platform/cookies.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { hashPassword, passwordMatches } from './password.server.ts';

export const SESSION_SECONDS = 12 * 60 * 60;
const IDLE_MS = 2 * 60 * 60 * 1000;
/** How much of the idle time may pass before the session's row is touched again. */
const TOUCH_MS = 60_000;

/** Makes the account that the environment names, or gives it its new password; that ends its sessions. */
export async function keepAdminAccount(
  db: Kysely<Tables>,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const user = await findUser(db, username);
  if (user && (await passwordMatches(password, user.passwordHash))) return;
  const passwordHash = await hashPassword(password);
  await db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('users')
      .values({ username, passwordHash })
      .onConflict((conflict) => conflict.column('username').doUpdateSet({ passwordHash }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx.deleteFrom('sessions').where('userId', '=', id).execute();
  });
}

export async function findUser(db: Kysely<Tables>, username: string) {
  return db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst();
}

/** Opens a session and gives its token, for the browser's cookie. */
export async function openSession(db: Kysely<Tables>, userId: number): Promise<string> {
  const token = newToken();
  const now = Date.now();
  await db
    .insertInto('sessions')
    .values({ tokenHash: tokenHash(token) ?? '', userId, createdAt: now, lastSeenAt: now })
    .execute();
  return token;
}

export async function endSession(db: Kysely<Tables>, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', hash).execute();
}

/** Who holds the token, if its session is neither 12 hours old nor idle for two. */
export async function findStaff(
  db: Kysely<Tables>,
  token: string | undefined,
): Promise<Staff | null> {
  const hash = tokenHash(token);
  if (!hash) return null;
  const now = Date.now();
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.userId', 'sessions.lastSeenAt', 'users.username'])
    .where('tokenHash', '=', hash)
    .where('createdAt', '>', now - SESSION_SECONDS * 1000)
    .where('lastSeenAt', '>', now - IDLE_MS)
    .executeTakeFirst();
  if (!row) return null;
  if (now - row.lastSeenAt > TOUCH_MS) {
    await db
      .updateTable('sessions')
      .set({ lastSeenAt: now })
      .where('tokenHash', '=', hash)
      .execute();
  }
  return { userId: row.userId, username: row.username, tokenHash: hash };
}

export async function forgetOldSessions(db: Kysely<Tables>): Promise<void> {
  const now = Date.now();
  await db
    .deleteFrom('sessions')
    .where((where) =>
      where.or([
        where('createdAt', '<=', now - SESSION_SECONDS * 1000),
        where('lastSeenAt', '<=', now - IDLE_MS),
      ]),
    )
    .execute();
}
