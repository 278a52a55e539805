import type { ColumnDefinitionBuilder } from 'kysely';

export type Engine = 'sqlite' | 'postgres';

/** A primary key that counts up by itself and never gives a number twice. */
export function idColumn(engine: Engine) {
  return {
    type: 'integer' as const,
    build: (column: ColumnDefinitionBuilder) =>
      engine === 'sqlite'
        ? column.primaryKey().autoIncrement()
        : column.generatedAlwaysAsIdentity().primaryKey(),
  };
}
