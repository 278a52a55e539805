import type { Kysely } from 'kysely';
import type { Tables } from './database/tables.server.ts';
import { newToken } from './http/cookies.server.ts';

/** A secret of the database's own, made when it is first asked for; all instances get the same. */
export async function signingKey(db: Kysely<Tables>, name: string): Promise<string> {
  const known = await findKey(db, name);
  if (known) return known.key;
  await db
    .insertInto('signingKeys')
    .values({ name, key: newToken() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findKey(db, name))?.key ?? signingKey(db, name);
}

function findKey(db: Kysely<Tables>, name: string) {
  return db.selectFrom('signingKeys').select('key').where('name', '=', name).executeTakeFirst();
}
