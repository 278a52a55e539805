/** Quotes that staff make, and what their customers press. */
import { expect } from 'vitest';
import { dueToday } from '../../src/catalogue/pricing.ts';
import { toDollars } from '../../src/platform/money.ts';
import { quoteView } from '../../src/quotes/quote-api.ts';
import { PURCHASE } from './stripe-shop.ts';
import type { TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

const { amount: _, paymentMethod: _card, phone: _phone, ...CHOICE } = PURCHASE;

/** Staff make a quote of `PURCHASE`, by card unless `change` differs, and pass its link on. */
export async function quoteByStaff(staff: Visitor, change: object = {}) {
  const body = { ...CHOICE, discount: null, days: 30, send: false, ...change };
  const { status, json } = await staff.move().post('/api/admin/quotes', body);
  expect([status, json.message]).toEqual([200, undefined]);
  const path = `/api/admin/quotes/${json.id}`;
  const { url } = (await staff.post(`${path}/link`, {})).json;
  return { id: json.id as number, path, body, token: url.split('/').at(-1) as string };
}

/** What the customer of a quote by invoice sends to accept it. */
export async function acceptanceOf(app: TestApp, token: string) {
  const quote = (await app.visitor().post('/api/quote', { token })).json;
  const { changedAt, addendum, price } = quoteView.parse(quote);
  const html = (await app.visitor().get(`/quote/${token}`)).text;
  const [, terms = ''] = /"hash":"([0-9a-f]{64})"/.exec(html) ?? [];
  const due = toDollars(dueToday(price));
  const seen = { terms, changedAt, dueToday: due, ...(addendum && { addendum: addendum.hash }) };
  return { token, name: 'Dana Fox', title: 'CFO', ...seen };
}

/** A quote that is paid by invoice; returns what its customer presses. */
export async function quotedByInvoice(
  app: TestApp,
  staff: Visitor,
  { choice = {}, acceptance = {} }: { choice?: object; acceptance?: object } = {},
) {
  const { token } = await quoteByStaff(staff, { dueDays: 20, ...choice });
  const accepted = { ...(await acceptanceOf(app, token)), ...acceptance };
  return (visitor = app.visitor()) => visitor.post('/api/quote/accept', accepted);
}
