/** The bench compares the site with pgbench, which is to send the same statements: what the site sends is found here. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementsIn } from '../../bench/alone.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { executedStatements } from '../../support/executed-statements.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** Texts, numbers and variables of pgbench, by themselves or joined. */
const VALUE = /(?<!")('[^']*'|:\w+|\b\d+\b|NULL)( \|\| ('[^']*'|:\w+))*/g;

/** A file's statements with a ? in the place of each value, as they are executed, without those that begin and end transactions. */
function asExecuted(file: string): string[] {
  return statementsIn(file)
    .filter(({ sql }) => !/^(begin|commit)/.test(sql))
    .map(({ sql }) => sql.replace(VALUE, '?'));
}

test.each([
  { path: '/api/contact', body: SAMPLE_MESSAGE, file: 'tests/bench/contact.sql' },
  { path: '/api/create-payment-intent', body: SAMPLE_ORDER, file: 'tests/bench/order.sql' },
])('of POST $path they are those in $file', async ({ path, body, file }) => {
  // The first one of a process also looks for the last number.
  await app.visitor().post(path, body);
  const listening = executedStatements(app);
  await listening.during(path, () => app.visitor().post(path, body));
  listening.stop();
  const sent = listening.executed.filter(({ during }) => during === path);
  expect(sent.map(({ sql }) => sql)).toEqual(asExecuted(file));
});
