/** Each column has the type that the code declares. */
import { globSync, readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';
import { expect, inject, test } from 'vitest';
import { UNREAD_TABLES } from '../../../src/platform/database/tables.server.ts';
import { ownTestApp } from '../../support/test-app.ts';

type Columns = Record<string, { isNumber: boolean; isNullable: boolean; isGenerated: boolean }>;

const NUMBERS = ['number', 'Cents', 'Flag', '0 | 1'];

/** By the interface's name; `Tables` is declared in many files. */
const interfaces = new Map<string, (() => Columns)[]>();
const tables: [name: string, columns: () => Columns][] = [];

for (const file of globSync('src/**/*.server.ts')) {
  const source = readFileSync(file, 'utf8');
  const textOf = ({ start, end }: ESTree.Span) => source.slice(start, end);
  const merged = (all: Columns[]): Columns => Object.assign({}, ...all);
  const named = (name: string) => merged((interfaces.get(name) ?? []).map((columns) => columns()));

  const fields = (members: ESTree.TSSignature[]) =>
    members.flatMap((member) =>
      member.type === 'TSPropertySignature' && member.typeAnnotation && !member.optional
        ? [[textOf(member.key), member.typeAnnotation.typeAnnotation] as const]
        : [],
    );
  const columnsOf = (members: ESTree.TSSignature[]): Columns =>
    Object.fromEntries(fields(members).map(([name, type]) => [name, columnOf(textOf(type))]));
  function columnsOfTable(type: ESTree.TSType): Columns {
    if (type.type === 'TSTypeLiteral') return columnsOf(type.members);
    if (type.type === 'TSIntersectionType') return merged(type.types.map(columnsOfTable));
    return named(textOf(type));
  }

  new Visitor({
    TSInterfaceDeclaration({ id: { name }, extends: parents, body }) {
      if (name === 'Tables')
        for (const [table, type] of fields(body.body))
          tables.push([table, () => columnsOfTable(type)]);
      const inherited = parents.map(({ expression }) => textOf(expression));
      const columns = () => merged([...inherited.map(named), columnsOf(body.body)]);
      interfaces.set(name, [...(interfaces.get(name) ?? []), columns]);
    },
  }).visit(parseSync(file, source).program);
}

function columnOf(type: string): Columns[string] {
  const [, generated, plain = type] = /^(Generated)<(.*)>$/s.exec(type) ?? [];
  const withoutNull = plain.replace(' | null', '');
  return {
    isNumber: NUMBERS.includes(withoutNull),
    isNullable: withoutNull !== plain,
    isGenerated: generated !== undefined,
  };
}

// SQLite, which runs the same statements, calls each primary key nullable.
test.runIf(inject('engine') === 'postgres')(
  'an engineer’s query that compiles finds its columns, as numbers, texts and nulls where it expects them',
  async () => {
    const app = await ownTestApp();
    const read = (await app.database.db.introspection.getTables()).filter(
      // The migrations' own, which has no queries.
      ({ name }) => ![...UNREAD_TABLES, 'applied_migrations'].includes(name),
    );
    const found = read.map(({ name, columns }) => [
      name,
      Object.fromEntries(
        columns.map(({ name, dataType, isNullable, hasDefaultValue, isAutoIncrementing }) => {
          const isGenerated = hasDefaultValue || isAutoIncrementing;
          return [name, { isNumber: dataType !== 'text', isNullable, isGenerated }];
        }),
      ),
    ]);
    const declared = tables.map(([name, columns]) => [name, columns()]);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(found));
  },
);
