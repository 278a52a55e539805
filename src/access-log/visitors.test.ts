/** Who is written down of the visitors of a batch. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../../tests/support/access-records.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { AccessRecord } from './access-record.server.ts';
import { Visitors } from './visitors.server.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-05-13T12:00:00Z');
const ANN = { ip: '192.0.2.1' };
const BEN = { ip: '192.0.2.2' };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** Whose visits are written, batch by batch, as '192.0.2.1 12:00'. */
async function written(...batches: AccessRecord[][]): Promise<string[][]> {
  const visitors = new Visitors(app.database.db);
  const all: string[][] = [];
  for (const batch of batches) {
    for (const record of batch) visitors.add(record);
    const found = await visitors.due();
    visitors.keep(found);
    all.push(
      found.map(({ ip, lastSeen }) => `${ip} ${new Date(lastSeen).toISOString().slice(11, 16)}`),
    );
  }
  return all;
}

test('a visitor is written once a minute, by the latest of a batch', async () => {
  const later = NOON + MINUTE;
  expect(
    await written(
      [request(NOON, ANN), request(NOON + 59_999, ANN)],
      [request(NOON + 30_000, ANN), request(NOON, BEN)],
      [request(NOON, ANN), request(later, ANN)],
      [request(NOON, ANN), request(later, ANN), request(NOON, BEN)],
    ),
  ).toEqual([
    ['192.0.2.1 12:00'],
    ['192.0.2.2 12:00'],
    ['192.0.2.1 12:01'],
    // A visitor of the minute before has to be stored again.
    ['192.0.2.2 12:00'],
  ]);
});

test('another agent at the same address is another visitor', async () => {
  const other = { ...ANN, userAgent: 'curl/8' };
  expect(await written([request(NOON, ANN)], [request(NOON, other), request(NOON, ANN)])).toEqual([
    ['192.0.2.1 12:00'],
    ['192.0.2.1 12:00'],
  ]);
});

test('who could not be stored is new again', async () => {
  const visitors = new Visitors(app.database.db);
  visitors.add(request(NOON, ANN));
  const [first] = await visitors.due();
  visitors.add(request(NOON, ANN));
  expect(await visitors.due()).toEqual([first]);
});

test('no more are remembered than come within a minute', async () => {
  const crowd = (from: number) =>
    Array.from({ length: 3_000 }, (_, n) =>
      request(NOON, { ip: `10.${from}.${n >> 8}.${n & 255}` }),
    );
  const counts = (await written(crowd(1), crowd(2), crowd(3), crowd(1), crowd(3))).map(
    ({ length }) => length,
  );
  // The third crowd exceeds the limit, so everyone before it is forgotten.
  expect(counts).toEqual([3_000, 3_000, 3_000, 3_000, 0]);
});

test('visitors of an outage are stored 3,000 at a time, each of them once', async () => {
  const visitors = new Visitors(app.database.db);
  for (let n = 0; n < 7_000; n += 1)
    visitors.add(request(NOON, { ip: `10.9.${n >> 8}.${n & 255}` }));
  const batches: string[][] = [];
  for (let batch = 0; batch < 4; batch += 1) {
    const found = await visitors.due();
    visitors.keep(found);
    batches.push(found.map(({ ip }) => ip));
  }
  expect(batches.map(({ length }) => length)).toEqual([3_000, 3_000, 1_000, 0]);
  expect(new Set(batches.flat()).size).toBe(7_000);
});
