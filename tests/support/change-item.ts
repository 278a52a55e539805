import type { Db } from '../../src/platform/database/tables.server.ts';

/** Changes one item of the stored catalogue as another instance would; prices in dollars. */
export async function changeItem(
  db: Db,
  list: 'plans' | 'services' | 'solutions',
  id: number,
  change: object,
): Promise<void> {
  const stored = db.selectFrom('catalogue').select('items').where('list', '=', list);
  const rows: { id: number }[] = JSON.parse((await stored.executeTakeFirstOrThrow()).items);
  const items = rows.map((row) => (row.id === id ? { ...row, ...change } : row));
  await db
    .updateTable('catalogue')
    .set({ items: JSON.stringify(items) })
    .where('list', '=', list)
    .execute();
}
