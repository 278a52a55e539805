/**
 * The staff account with a password, and the work accounts of the company's OpenID provider. The
 * password comes from the environment or from `npm run admin:password`, whichever was set last
 * (docs/operations.md).
 */
import { type Generated, sql } from 'kysely';
import type { Db, NewRow, Row } from '../platform/database/tables.server.ts';
import { DAY_MS } from '../platform/time.ts';
import { foldName, possibleNames } from './account-name.server.ts';
import { recordAudit } from './audit-store.server.ts';
import { hashPassword, passwordMatches } from './password.server.ts';
import type { Credentials } from './staff-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    accounts: {
      id: Generated<number>;
      /** As colleagues read it; of the account with a password, its username. */
      name: string;
      /** What no other account has (`foldName`). */
      foldedName: string;
      /** As customers read it; null until it is known. */
      publicName: string | null;
      /** '' for a work account, which no password opens. */
      passwordHash: string;
      /** The hash of the last password from the environment, even if another password has been set since. */
      environmentHash: string | null;
      /** The authenticator's, in base32; null without one. */
      totpSecret: string | null;
      /** Of the last accepted code: each is accepted once. */
      totpStep: Generated<number>;
      /** The hashes of those that are left, as JSON. */
      recoveryCodes: Generated<string>;
      /** Counts the authenticators that were set up and removed: known browsers are those since the last. */
      secondFactorVersion: Generated<number>;
      /** What the provider never gives to another person; null for the account with a password. */
      externalKey: string | null;
      email: string | null;
      signedInAt: number | null;
      blockedAt: number | null;
    };
  }
}

/** The staff account of the environment. */
export interface AdminSettings {
  username: string;
  password: string;
  /** Whether these are the demo credentials, which the sign-in page shows. */
  demo: boolean;
  /** Whether everyone knows the password. */
  isPublic: boolean;
}

export const NO_SECOND_FACTOR = { totpSecret: null, totpStep: 0, recoveryCodes: '[]' };

/** Whether the sign-in asks for a code. It asks everyone, since only some would say who has one. */
export async function asksForCode(db: Db): Promise<boolean> {
  const users = db.selectFrom('accounts').select('id').where('totpSecret', 'is not', null);
  return (await users.limit(1).executeTakeFirst()) !== undefined;
}

/** Whether everyone knows the account's password. */
export function hasPublicPassword(user: Row<'accounts'>, { isPublic }: AdminSettings): boolean {
  return isPublic && user.passwordHash === user.environmentHash;
}

/** The account with a password. */
export async function findUser(db: Db, username: string) {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('name', '=', username)
    .where('externalKey', 'is', null)
    .executeTakeFirst();
}

export async function findUserById(db: Db, id: number) {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Whose account was deleted. */
export const FORMER_COLLEAGUE = 'Former colleague';

interface AccountNames {
  /** For colleagues; null for no account. */
  name(id: number | null): string | null;
  /** For customers; '' until it is known. */
  publicName(id: number | null): string;
}

/** What these accounts are called today. */
export async function accountNames(db: Db, ids: readonly (number | null)[]): Promise<AccountNames> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  const rows =
    wanted.length === 0
      ? []
      : await db
          .selectFrom('accounts')
          .select(['id', 'name', 'publicName'])
          .where('id', 'in', wanted)
          .execute();
  const names = new Map(rows.map((row) => [row.id, row]));
  return {
    name: (id) => (id === null ? null : (names.get(id)?.name ?? FORMER_COLLEAGUE)),
    publicName: (id) => names.get(id ?? 0)?.publicName ?? '',
  };
}

/**
 * Creates the environment's account, or sets its password when the variable has changed since the last start. The demo
 * password never replaces one that was set by hand. An account that the environment named earlier is deleted, so that no
 * forgotten login remains; accounts that were added by hand stay. An authenticator stays, except with the demo password.
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

/** Sets the password by hand, ends the account's sessions and takes its authenticator away. Returns false if accounts exist but none has this name. */
export async function setPassword(db: Db, username: string, password: string): Promise<boolean> {
  const users = await db
    .selectFrom('accounts')
    .select('name')
    .where('externalKey', 'is', null)
    .execute();
  if (users.length > 0 && !users.some(({ name }) => name === username)) return false;
  const passwordHash = await hashPassword(password);
  const account = { name: username, passwordHash, ...NO_SECOND_FACTOR };
  await changePassword(db, account, 'by npm run admin:password');
  return true;
}

/** The demo credentials, which the sign-in page shows; null once they no longer open the account. */
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
        name: sql`${ref('name')} || ' (' || ${ref('id')} || ')'`,
        foldedName: sql`${ref('foldedName')} || '(' || ${ref('id')} || ')'`,
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
    const by = { userId: id, username: name };
    await recordAudit(trx, { kind: 'password-changed', by, detail });
  });
}

/** With STAFF_PASSWORD=off: sessions that were opened with a password end. */
export async function closePasswordDoor(db: Db): Promise<void> {
  const accounts = db.selectFrom('accounts').select('id').where('externalKey', 'is', null);
  await db.deleteFrom('sessions').where('accountId', 'in', accounts).execute();
}

export interface WorkAccount {
  externalKey: string;
  name: string;
  /** As customers read it. */
  publicName: string | null;
  email: string | null;
  /** Shown to be the person's own. */
  verifiedEmail: string | null;
}

/**
 * The work account, made at its first sign-in. Names and address follow the provider. Locks the
 * account's row, so that a colleague who blocks it meanwhile also ends the session that is being
 * opened.
 */
export async function followWorkAccount(trx: Db, account: WorkAccount): Promise<Row<'accounts'>> {
  const { externalKey, verifiedEmail, name, publicName, email } = account;
  const facts = { publicName, email };
  const { id } = await trx
    .insertInto('accounts')
    // No folded name has a space.
    .values({ ...facts, name, foldedName: `new ${externalKey}`, passwordHash: '', externalKey })
    .onConflict((conflict) => conflict.column('externalKey').doUpdateSet(facts))
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const possible of possibleNames(name, verifiedEmail)) {
    const foldedName = foldName(possible);
    const namesakes = trx
      .selectFrom('accounts as other')
      .select('id')
      .where('foldedName', '=', foldedName)
      .where('id', '!=', id);
    const named = await trx
      .updateTable('accounts')
      .set({ name: possible, foldedName })
      .where('id', '=', id)
      .where(({ not, exists }) => not(exists(namesakes)))
      .returningAll()
      .executeTakeFirst();
    if (named) return named;
  }
  throw new Error('There is always another number');
}

const KEPT_MS = 365 * DAY_MS;

/** Deletes work accounts unused for a year. A blocked one stays, or it would be let in again. */
export async function deleteOldAccounts(db: Db): Promise<void> {
  await db
    .deleteFrom('accounts')
    .where('externalKey', 'is not', null)
    .where('blockedAt', 'is', null)
    .where('signedInAt', '<', Date.now() - KEPT_MS)
    .execute();
}
