/**
 * Every query of every call finds its rows by an index, on both engines, and there are as many queries of 60 rows as of
 * three. The rule is kept and not the plans: their words change with each version of an engine, and a plan that differs
 * but reads no more is no news. What must read all is named, with its reason, in inherent-queries.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Driven, driveCalls } from '../../support/drive-calls.ts';
import { driveStripe } from '../../support/drive-stripe.ts';
import { driveReconciling, driveTidying } from '../../support/drive-tidying.ts';
import { everyCall } from '../../support/every-call.ts';
import { type Executed, executedStatements } from '../../support/executed-statements.ts';
import { BOUNDED, INHERENT } from '../../support/inherent-queries.ts';
import { type Costly, costlyParts } from '../../support/query-plans.ts';
import { openShop, type StripeShop, WITH_MAIL } from '../../support/stripe-shop.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

interface Round {
  app: TestApp;
  driven: Driven;
  executed: readonly Executed[];
  stop(): Promise<void>;
}

async function atTestGateway(rows: number): Promise<Round> {
  const app = await startTestApp(WITH_MAIL);
  const listening = executedStatements(app);
  const driven = await driveCalls(app, rows, listening);
  await driveTidying(app.database);
  listening.stop();
  return { app, driven, executed: listening.executed, stop: app.stop };
}

async function atStripe(rows: number): Promise<Round> {
  const shop: StripeShop = await openShop(WITH_MAIL);
  const listening = executedStatements(shop.app);
  const driven = await driveStripe(shop, rows, listening);
  await driveReconciling(shop);
  listening.stop();
  return { app: shop.app, driven, executed: listening.executed, stop: shop.close };
}

const FEW = 3;
const MANY = 60;

describe('every query of a call', () => {
  let few: Round[];
  let many: Round[];
  beforeAll(async () => {
    const both = (rows: number) => Promise.all([atTestGateway(rows), atStripe(rows)]);
    [few, many] = await Promise.all([both(FEW), both(MANY)]);
  }, 180_000);
  afterAll(() => Promise.all([...few, ...many].map(({ stop }) => stop())));

  test('is driven: each call was answered with what it is for', () => {
    const driven = new Set(many.flatMap((round) => [...round.driven]));
    const calls = many.flatMap(({ app }) => everyCall(app).map(({ name }) => name));
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter((name) => !driven.has(name))).toEqual([]);
  });

  test('reads no table from end to end that grows with visitors, and sorts no more than it gives', async () => {
    const needed = new Set<string>();
    const faults: string[] = [];
    for (const { app, executed } of many) {
      const { db, engine } = app.database;
      for (const statement of new Map(executed.map((each) => [each.sql, each])).values()) {
        for (const part of await costlyParts(db, engine, statement)) {
          const allowed = INHERENT.find(
            ({ sql, of }) => of.includes(part.table) && sql.test(statement.sql),
          );
          if (allowed) needed.add(allowed.why);
          else if (!isSmall(part, statement)) faults.push(told(part, statement));
        }
      }
    }
    expect(faults).toEqual([]);
    expect(INHERENT.filter(({ why }) => !needed.has(why))).toEqual([]);
  });

  test('locks rows by reading them: none sets a column to what it is', () => {
    const statements = many.flatMap(({ executed }) => executed.map(({ sql }) => sql));
    expect(statements.filter((sql) => / set ("\w+") = \1( where|,|$)/.test(sql))).toEqual([]);
  });

  test('is asked as often of many rows as of few', () => {
    for (const [index, round] of few.entries()) {
      const counted = counts(round.executed);
      expect(Object.keys(counted).length).toBeGreaterThan(10);
      expect(counts(many[index]?.executed ?? [])).toEqual(counted);
    }
  });
});

/** All that is read, or sorted, is of tables that do not grow. */
function isSmall({ table }: Costly, { sql }: Executed): boolean {
  if (table !== '') return table in BOUNDED;
  const tables = [...sql.matchAll(/ (?:from|join) "(\w+)"/g)].map(([, name = '']) => name);
  return tables.every((name) => name in BOUNDED);
}

function told({ how, table }: Costly, { sql, during }: Executed): string {
  return `${how} ${table} (${during ?? 'by itself'}): ${sql}`;
}

/** What waits of the access log is stored, the catalogue read, and a session's time written down, by whoever comes when it is time. */
const NOW_AND_THEN =
  /^(insert into|delete from) "access|from "accessKeys"|^select .* from "\w+" order by "position"$|^update "sessions" set "lastSeenAt"/;

function counts(executed: readonly Executed[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { sql, during } of executed) {
    if (during !== undefined && !NOW_AND_THEN.test(sql))
      counted[during] = (counted[during] ?? 0) + 1;
  }
  return counted;
}
