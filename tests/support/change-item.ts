import type { Kysely } from 'kysely';
import type { Tables } from '../../src/platform/database/tables.server.ts';

/** Changes one item of the stored catalogue, as another instance would; prices are dollars. */
export async function changeItem(
  db: Kysely<Tables>,
  list: 'plans' | 'services' | 'solutions',
  id: number,
  change: object,
): Promise<void> {
  const stored = db.selectFrom('catalogue').select('item').where('list', '=', list);
  const { item } = await stored.where('id', '=', id).executeTakeFirstOrThrow();
  await db
    .updateTable('catalogue')
    .set({ item: JSON.stringify({ ...JSON.parse(item), ...change }) })
    .where('list', '=', list)
    .where('id', '=', id)
    .execute();
}
