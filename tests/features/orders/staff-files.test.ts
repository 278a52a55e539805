/** The CSV files of staff open in Excel as they are, with every row once. */

import { expect, test } from 'vitest';
import { withoutSpaces } from '../../../src/billing/reference.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { customer } from '../../support/own-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { QUOTE } from '../../support/quote-site.ts';
import { quotedByInvoice } from '../../support/staff-quote.ts';
import { sharedStaff, sharedTestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

type Row = Record<string, string>;

/** The rows by the names of their columns. */
async function file(staff: Visitor, path: string): Promise<Row[]> {
  const { text, headers } = await staff.move().get(`/api/admin/${path}`);
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="\w+-[\d-]+\.csv"$/);
  const [names = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

const app = sharedTestApp();
const staff = sharedStaff(() => app);

test('staff get each payment with its fee, tax and refund, and a column for the purchase order', async () => {
  const { orderId, visitor } = await customer(app);
  await visitor.post('/api/create-payment-intent', { ...SAMPLE_ORDER, another: true });
  await staff.post(`/api/admin/orders/${orderId}/refund`, { amount: 75 });
  const rows = await file(staff, 'payments/download');
  expect(rows).toEqual([
    {
      order: `O-${orderId}`,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+-0[45]:00$/),
      receipt: `R-${orderId}-0001`,
      ...{ name: 'Jane Doe', company: '', email: SAMPLE_ORDER.email },
      ...{ amount: '575.00', tax: '0.00', fee: '0.00', refunded: '75.00', purchaseOrder: '' },
      ...{ once: '0.00', onceFor: '' },
      ...{ net: '500.00', state: 'Partly refunded', reference: '', markedPaidBy: '' },
    },
  ]);
  expect(await file(staff, 'payments/download?to=2020-01-01')).toEqual([]);
});

test('a check’s number keeps its zeros in the file of payments', async () => {
  const { orderId } = (await (await quotedByInvoice(app, staff))()).json;
  const { version } = (await staff.move().get(`/api/orders/${orderId}`)).json;
  const press = `/api/admin/orders/${orderId}/mark-paid`;
  expect((await staff.post(press, { reference: '001042', version })).status).toBe(200);
  const rows = await file(staff, 'payments/download');
  const row = rows.find(({ order }) => order === `O-${orderId}`);
  expect(row).toMatchObject({ reference: '="001042"', state: 'Paid outside' });
});

test('staff read beside each payment whom its receipt bills, also after a name was corrected', async () => {
  const { ask, happen, orderId } = await customer(app);
  const facts = { phone: '', billingAddress: '', billsTo: null };
  await ask('details', { name: 'Jane Roe', company: 'Okafor Toyota', ...facts });
  await happen('renewed');
  const rows = (await file(staff, 'payments/download')).filter(
    ({ order }) => order === `O-${orderId}`,
  );
  expect(rows.map(({ name, company }) => [name, company])).toEqual([
    ['Jane Roe', 'Okafor Toyota'],
    ['Jane Doe', ''],
  ]);
});

test('staff get quotes by the filter of the list, each once however many there are', async () => {
  const made = {
    ...QUOTE,
    discount: { kind: 'dollars', value: 10, reason: 'fair' },
    send: false,
  };
  for (let n = 0; n < 52; n += 1)
    await staff.move().post('/api/admin/quotes', { ...made, days: 30 });
  const { json } = await staff.post('/api/admin/quotes', { ...made, days: 30 });
  await staff.post(`/api/admin/quotes/${json.id}/withdraw`, {});
  const open = await file(staff, 'quotes/download?state=open');
  expect(new Set(open.map(({ quote }) => quote)).size).toBe(52);
  expect(await file(staff, 'quotes/download?state=withdrawn')).toMatchObject([
    {
      ...{
        quote: withoutSpaces(json.reference),
        name: 'Dana Fox',
        company: 'Fox Motors',
        plan: 'Essential',
      },
      ...{ monthlyAmount: '614.50', discount: '10.00', state: 'withdrawn', madeBy: 'admin' },
      ...{ acceptedAt: '', order: '' },
    },
  ]);
});

test('staff get contact and chat messages', async () => {
  await app.visitor().post('/api/contact', { ...SAMPLE_MESSAGE, service: 'voip' });
  await app.visitor().post('/api/teams-chat', { message: 'Is anybody\nthere?' });
  expect(await file(staff, 'messages/download')).toMatchObject([
    { reference: 'T-2', name: '', email: '', message: 'Is anybody\nthere?' },
    { reference: 'C-1', name: 'Jane Doe', service: 'VoIP Services', status: 'new' },
  ]);
});

test.each(['=1+1', '＝1+1', '@SUM(A1)', '"=1+1', 'José;=1+1'])(
  'staff run no formula that a visitor typed: %s',
  async (name) => {
    const typed = { ...QUOTE, name, company: name, email: `${Math.random()}@x.example` };
    expect((await app.visitor().post('/api/quotes', typed)).status).toBe(201);
    const [newest] = await file(staff, 'quotes/download');
    for (const cell of Object.values(newest ?? {}))
      for (const part of cell.split(';')) expect(part).not.toMatch(/^[=+\-@＝]/);
  },
);
