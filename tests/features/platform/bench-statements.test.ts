/** The bench compares the site with pgbench, which is to send the same statements: what the site sends is found here. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
function statementsIn(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^(select|insert|update|delete)/.test(line))
    .map((line) => line.replace(/;$/, '').replace(VALUE, '?'));
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
  expect(sent.map(({ sql }) => sql)).toEqual(statementsIn(file));
});
