/** Staff's list of orders, by page and by day, and its CSV file. */
import { beforeEach, expect, test } from 'vitest';
import { saveCharges } from '../../../src/billing/charge-store.server.ts';
import { newsOfCharges } from '../../../src/billing/news-of-charges.server.ts';
import { cents } from '../../../src/platform/money.ts';
import { DAY_MS } from '../../../src/platform/time.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { line, savedOrder, savedOrders } from '../../support/saved-order.ts';
import { sharedStaff, sharedTestApp } from '../../support/test-app.ts';

const app = sharedTestApp();
const staff = sharedStaff(() => app);
beforeEach(async () => {
  await app.database.db.deleteFrom('orders').execute();
});

const list = async (query: string) => (await staff.move().get(`/api/admin/orders?${query}`)).json;
const download = async (query = '') =>
  parseCsv((await staff.move().get(`/api/admin/orders/download?${query}`)).text);
const idsOf = ([, ...rows]: string[][]) => rows.map(([id]) => Number(id));

test('staff’s list shows 50 orders a page, newest first, and the CSV file has all of them once', async () => {
  const { db } = app.database;
  const createdAt = Date.now() - DAY_MS;
  const newest = await savedOrder(db, { createdAt: createdAt + 1 });
  await savedOrders(db, 1000, { createdAt });
  const oldest = await savedOrder(db, { createdAt: createdAt - 1 });
  const between = Array.from({ length: 1000 }, (_, index) => oldest.id - 1 - index);
  const all = [newest.id, ...between, oldest.id];
  for (const [page, ids] of [
    [1, all.slice(0, 50)],
    [21, all.slice(1000)],
    [22, []],
  ] as const) {
    const found = await list(`page=${page}`);
    expect(found).toMatchObject({ total: 1002, orders: ids.map((id) => ({ id })) });
  }
  expect(idsOf(await download())).toEqual(all);
});

test('staff’s list shows and exports the orders of one day at the company', async () => {
  const { db } = app.database;
  const ids = new Map<string, number>();
  for (const time of ['21T04:59:59Z', '21T05:00:00Z', '22T02:30:00Z', '22T05:00:00Z']) {
    const createdAt = Date.parse(`2028-12-${time}`);
    ids.set(time, (await savedOrder(db, { createdAt, status: 'paid' })).id);
  }
  const thatDay = [ids.get('22T02:30:00Z'), ids.get('21T05:00:00Z')];
  const query = 'from=2028-12-21&to=2028-12-21';
  const found = { total: 2, counts: { paid: 2 }, orders: thatDay.map((id) => ({ id })) };
  expect(await list(query)).toMatchObject(found);
  expect(idsOf(await download(query))).toEqual(thatDay);
  expect((await list('from=2028-12-22')).total).toBe(1);
  for (const ignored of ['from=2028-13-01', 'to=yesterday', 'from=0002-01-01'])
    expect((await list(ignored)).total).toBe(4);
});

test('staff export each order with all its fields, and what a stranger typed is never a formula', async () => {
  const { id } = await savedOrder(app.database.db, {
    name: '=HYPERLINK("http://x")',
    phone: '404-555-0100',
    company: 'Lantern Row Motors',
    ms365Option: 'e3',
    priceLines: JSON.stringify([line('microsoft365', 0, 12), line('backup', 0, 12)]),
    status: 'paid',
    cancelAt: Date.UTC(2026, 1, 15),
    subscriptionId: 'sub_1',
  });
  const charge = { id: 'ch_1', amountCents: cents(450_00), refundedCents: cents(12_50) };
  const { all } = newsOfCharges({ id, charges: [] }, [{ ...charge, dispute: 'won' }]);
  await saveCharges(app.database.db, all);
  const [head = [], row = []] = await download();
  expect(Object.fromEntries(head.map((name, place) => [name, row[place]]))).toEqual({
    id: `${id}`,
    createdAt: '2026-01-14T19:00:00-05:00',
    name: `'=HYPERLINK("http://x")`,
    email: 'jane@dealer.example',
    phone: '404-555-0100',
    company: 'Lantern Row Motors',
    plan: 'Essential',
    ms365Option: 'e3',
    ms365Users: '12',
    cloudBackup: 'true',
    monthlyAmount: '450.00',
    ...{ once: '0.00', onceFor: '', startsOn: '' },
    discount: '0.00',
    status: 'paid',
    refunded: '12.50',
    dispute: 'won',
    endsAt: '2026-02-14T19:00:00-05:00',
    ...{ endReason: '', endWords: '' },
    subscription: 'sub_1',
    paidBy: 'card',
    invoice: '',
    purchaseOrder: '',
    acceptedBy: '',
    acceptedTitle: '',
    termsOf: '',
    termsSha256: '',
  });
});
