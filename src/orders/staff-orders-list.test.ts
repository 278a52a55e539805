/** The list of orders as staff search it, page through it and take it away. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askCall } from '../../tests/support/ask-call.ts';
import { parseCsv } from '../../tests/support/parse-csv.ts';
import { savedOrder, savedOrders } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { eachOrder, staffOrderCalls } from './staff-orders.server.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

const publicUrl = 'https://shop.example';
function ask(name: string, query: string) {
  const notify = async () => undefined;
  const calls = staffOrderCalls({
    db: app.database.db,
    gateway: standInGateway(),
    notify,
    publicUrl,
  });
  return askCall(calls, name, { query, staff: true });
}
const list = async (query = '') => (await ask('GET /api/admin/orders', query)).json;
const found = async (find: string): Promise<number[]> =>
  (await list(`${new URLSearchParams({ find })}`)).orders.map(({ id }: { id: number }) => id);
const csv = async (query = '') =>
  parseCsv((await ask('GET /api/admin/orders/download', query)).text);

describe('the list', () => {
  test('has the newest first, of one moment the last; 50 on a page', async () => {
    const { db } = app.database;
    const createdAt = Date.UTC(2026, 5, 1);
    const newest = await savedOrder(db, { createdAt: createdAt + 1 });
    await savedOrders(db, 120, { createdAt });
    const oldest = await savedOrder(db, { createdAt: createdAt - 1 });
    const pages = [];
    for (const page of [1, 2, 3, 4]) {
      const { orders, total } = await list(`page=${page}`);
      expect(total).toBe(122);
      pages.push(orders.map(({ id }: { id: number }) => id));
    }
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 22, 0]);
    const between = Array.from({ length: 120 }, (_, index) => oldest.id - 1 - index);
    expect(pages.flat()).toEqual([newest.id, ...between, oldest.id]);
  });

  test('is narrowed down to a status, and counts them all', async () => {
    const { db } = app.database;
    await savedOrders(db, 3, { status: 'paid' });
    const { id } = await savedOrder(db, { status: 'failed' });
    const counts = { paid: 3, failed: 1 };
    expect(await list('status=failed')).toMatchObject({ orders: [{ id }], total: 1, counts });
    expect(await list('status=canceled')).toEqual({ orders: [], total: 0, counts });
    expect((await list()).total).toBe(4);
  });
});

test('every word is looked for in name, company, address, plan and number, in any case', async () => {
  const { db } = app.database;
  const jane = await savedOrder(db, { name: 'Jane', email: 'J@dealer.example' });
  const john = await savedOrder(db, {
    name: 'John',
    email: 'john@dealer.example',
    planName: 'Enterprise',
  });
  expect(await found('JANE')).toEqual([jane.id]);
  expect(await found('dealer.EXAMPLE john')).toEqual([john.id]);
  expect(await found('jane john')).toEqual([]);
  expect(await found('enterprise')).toEqual([john.id]);
  const { id: fleet } = await savedOrder(db, { company: 'Lantern Row Motors' });
  expect(await found('LANTERN')).toEqual([fleet]);
  const { id } = john;
  for (const number of [`${id}`, `O-${id}`, `o-${id}`, `john ${id}`]) {
    expect(await found(number)).toEqual([id]);
  }
  for (const other of [`x${id}`, `${id}x`, `jane ${id}`]) {
    expect(await found(other)).toEqual([]);
  }
});

describe('as CSV', () => {
  test('each order is a line with all that the list knows, the newest first', async () => {
    const { db } = app.database;
    const plain = await savedOrder(db);
    const full = await savedOrder(db, {
      phone: '404-555-0100',
      company: 'Lantern Row Motors',
      ms365Option: 'e3',
      ms365Users: 12,
      includeCloudBackup: 1,
      status: 'paid',
      refundedCents: 12_50,
      dispute: 'won',
      endsAt: Date.UTC(2026, 1, 15),
      subscriptionId: 'sub_1',
    });
    const createdAt = '2026-01-15T00:00:00.000Z';
    const buyer = [createdAt, 'Jane Doe', 'jane@dealer.example'];
    const endsAt = '2026-02-15T00:00:00.000Z';
    expect(await csv()).toEqual([
      'id createdAt name email phone company plan ms365Option ms365Users cloudBackup monthlyAmount'
        .concat(' status refunded dispute endsAt subscription')
        .split(' '),
      [
        `${full.id}`,
        ...buyer,
        '404-555-0100',
        'Lantern Row Motors',
        'Essential',
        'e3',
        '12',
        'true',
        '450.00',
      ].concat(['paid', '12.50', 'won', endsAt, 'sub_1']),
      [`${plain.id}`, ...buyer, '', '', 'Essential', 'none', '0', 'false', '450.00'].concat([
        'pending',
        '0.00',
        '',
        '',
        '',
      ]),
    ]);
  });

  test('are the orders that the filter finds', async () => {
    const { id } = await savedOrder(app.database.db, { name: 'Quentin', status: 'paid' });
    await savedOrder(app.database.db, { name: 'Quentin' });
    await savedOrder(app.database.db, { status: 'paid' });
    const lines = await csv('find=quentin&status=paid');
    expect(lines.slice(1).map(([first]) => first)).toEqual([`${id}`]);
  });

  test('are read 500 at a time, each once', async () => {
    await savedOrders(app.database.db, 1001);
    const pieces: number[][] = [];
    for await (const piece of eachOrder(app.database.db, { words: '', status: '' })) {
      pieces.push(piece.map(({ id }) => id));
      if (pieces.length > 3) break;
    }
    expect(pieces.map(({ length }) => length)).toEqual([500, 500, 1]);
    const newestFirst = pieces.flat().sort((a, b) => b - a);
    expect(pieces.flat()).toEqual([...new Set(newestFirst)]);
  });
});
