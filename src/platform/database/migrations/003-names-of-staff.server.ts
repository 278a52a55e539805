/** Names of staff differ by more than case and blanks; 1.0 also took letters that look alike. */
import type { Db } from '../tables.server.ts';

export async function foldNamesAgain(db: Db): Promise<void> {
  for (const { id, name } of await db.selectFrom('accounts').select(['id', 'name']).execute()) {
    const foldedName = name.normalize('NFKC').toLowerCase().replace(/\s/g, '');
    await db.updateTable('accounts').set({ foldedName }).where('id', '=', id).execute();
  }
}
