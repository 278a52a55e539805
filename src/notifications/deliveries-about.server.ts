/** The deliveries that belong to certain messages and orders, such as all of one person's. */
import type { Kysely } from 'kysely';
import { chunk } from '../platform/chunk.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';

type Db = Kysely<Tables>;

/** A message or an order: its id, its reference, such as 'C-12', and the topic of its notifications. */
export interface Subject {
  id: number;
  reference: string;
  topic: string;
}

/** Everything that is kept about these, delivered or not, the oldest first. */
export async function deliveriesAbout(
  db: Db,
  subjects: readonly Subject[],
): Promise<(Row<'outbox'> & { reference: string })[]> {
  const topics = [...new Set(subjects.map(({ topic }) => topic))];
  const found: Row<'outbox'>[] = [];
  for (const some of chunk(topics)) {
    found.push(...(await db.selectFrom('outbox').selectAll().where('topic', 'in', some).execute()));
  }
  // A conversation's topic is also that of messages which others have written in it.
  const references = new Map(subjects.map((each) => [`${each.topic} ${each.id}`, each.reference]));
  return found
    .flatMap((row) => {
      const stored: Record<string, unknown> = JSON.parse(row.notice);
      const [reference] = Object.values(stored).flatMap(
        (id) => references.get(`${row.topic} ${id}`) ?? [],
      );
      return reference === undefined ? [] : [{ ...row, reference }];
    })
    .sort((a, b) => a.id - b.id);
}

/** What is not delivered yet never will be; what is being delivered at this moment may still arrive. */
export async function forgetDeliveriesAbout(trx: Db, subjects: readonly Subject[]): Promise<void> {
  const ids = (await deliveriesAbout(trx, subjects)).map(({ id }) => id);
  for (const some of chunk(ids)) {
    await trx.deleteFrom('outbox').where('id', 'in', some).execute();
  }
}
