import { type Kysely, sql } from 'kysely';
import { type Engine, idColumn } from './engine.server.ts';

/** Reports of the Safeguards self-check on their way to the address that was given. */
export async function safeguardsReports(
  { schema }: Kysely<unknown>,
  engine: Engine,
): Promise<void> {
  const id = idColumn(engine);
  await schema
    .createTable('safeguardsReports')
    .addColumn('id', id.type, id.build)
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('report', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('safeguardsReportsByAddress')
    .on('safeguardsReports')
    .expression(sql`upper("email"), "at"`)
    .execute();
  await schema
    .createIndex('safeguardsReportsByTime')
    .on('safeguardsReports')
    .column('at')
    .execute();
}
