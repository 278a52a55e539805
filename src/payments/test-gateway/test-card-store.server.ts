/** Cards that customers of the test gateway enter in place of another. */
import type { Kysely } from 'kysely';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { newToken } from '../../platform/http/cookies.server.ts';
import type { TestCard } from './test-cards.ts';

type Db = Kysely<Tables>;

/** So begin the secrets that are about a card alone; those of payments begin otherwise. */
const CARD_SECRET = /^test_card_\d+_secret_/;

export function isCardSecret(clientSecret: string): boolean {
  return CARD_SECRET.test(clientSecret);
}

/** The same secret until a card has been entered with it. */
export async function startCardEntry(db: Db, orderId: number): Promise<string> {
  const open = await db
    .selectFrom('testCards')
    .select('clientSecret')
    .where('orderId', '=', orderId)
    .where('used', '=', 0)
    .executeTakeFirst();
  if (open) return open.clientSecret;
  const clientSecret = `test_card_${orderId}_secret_${newToken()}`;
  await db
    .insertInto('testCards')
    .values({
      clientSecret,
      orderId,
      status: 'new',
      token: 'succeeds',
      last4: '',
      used: 0,
      createdAt: Date.now(),
    })
    .execute();
  return clientSecret;
}

export async function findCardEntry(
  db: Db,
  clientSecret: string,
): Promise<Row<'testCards'> | undefined> {
  return db
    .selectFrom('testCards')
    .selectAll()
    .where('clientSecret', '=', clientSecret)
    .executeTakeFirst();
}

/** What was entered; nothing changes once the card is in use. */
export async function keepCardEntry(
  db: Db,
  clientSecret: string,
  status: string,
  card: TestCard,
): Promise<void> {
  await db
    .updateTable('testCards')
    .set({ status, ...card })
    .where('clientSecret', '=', clientSecret)
    .where('used', '=', 0)
    .execute();
}

export async function markCardUsed(trx: Db, clientSecret: string): Promise<void> {
  await trx
    .updateTable('testCards')
    .set({ used: 1 })
    .where('clientSecret', '=', clientSecret)
    .execute();
}
