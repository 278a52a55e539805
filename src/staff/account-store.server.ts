/** Staff's accounts: what they are called, and the provider's work accounts. */
import type { Generated } from 'kysely';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { DAY_MS } from '../platform/time.ts';

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
      /** The hash of the environment's last password, even if another has been set since. */
      environmentHash: string | null;
      /** The authenticator's, in base32; null without one. */
      totpSecret: string | null;
      /** Of the last accepted code: each is accepted once. */
      totpStep: Generated<number>;
      /** The hashes of those that are left, as JSON. */
      recoveryCodes: Generated<string>;
      /** Counts authenticators set up and removed: browsers are known since the last. */
      secondFactorVersion: Generated<number>;
      /** What the provider never gives to another person; null for the account with a password. */
      externalKey: string | null;
      email: string | null;
      signedInAt: number | null;
      blockedAt: number | null;
    };
  }
}

/** What no two names share: without case, blanks and invisible characters. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{DI}]/gu, '');
}

export async function findUserById(db: Db, id: number) {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Whose account was deleted. */
export const FORMER_COLLEAGUE = 'Former colleague';

export type AccountNames = Awaited<ReturnType<typeof accountNames>>;

export async function accountNames(db: Db, ids: readonly (number | null)[]) {
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
    name: (id: number | null) => (id === null ? null : (names.get(id)?.name ?? FORMER_COLLEAGUE)),
    /** For customers; '' until it is known. */
    publicName: (id: number | null) => names.get(id ?? 0)?.publicName ?? '',
  };
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

/** From the best one on: the name itself, parted by a verified address, by a number. */
function* possibleNames(name: string, verifiedEmail: string | null): Generator<string> {
  yield name;
  if (verifiedEmail !== null) yield `${name} (${verifiedEmail})`;
  for (let number = 2; ; number += 1) yield `${name} (${number})`;
}

/**
 * The work account, made at its first sign-in; names and address follow the provider. Locks the
 * row, so that a colleague who blocks it meanwhile also ends the session that is being opened.
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

/** Deletes work accounts unused for a year. A blocked one stays, or it would be let in again. */
export async function deleteOldAccounts(db: Db): Promise<void> {
  await db
    .deleteFrom('accounts')
    .where('externalKey', 'is not', null)
    .where('blockedAt', 'is', null)
    .where('signedInAt', '<', Date.now() - 365 * DAY_MS)
    .execute();
}
