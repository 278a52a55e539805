import type { Kysely } from 'kysely';
import type { Engine } from './engine.server.ts';

/** The access log's lines in a tenth of their size. Those that are there stay text until their addresses go. */
export async function packedLog({ schema }: Kysely<unknown>, engine: Engine): Promise<void> {
  const type = engine === 'sqlite' ? 'blob' : 'bytea';
  await schema.alterTable('accessLog').addColumn('packed', type).execute();
}
