/** A quote of staff that is paid by invoice. */
import { PURCHASE } from './stripe-shop.ts';
import type { TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

/** Returns what its customer presses. */
export async function quotedByInvoice(
  app: TestApp,
  staff: Visitor,
  { choice = {}, acceptance = {} }: { choice?: object; acceptance?: object } = {},
) {
  const { amount: _, paymentMethod: _card, phone: _phone, ...chosen } = { ...PURCHASE, ...choice };
  const body = { ...chosen, discount: null, days: 30, dueDays: 20, send: false };
  const { id } = (await staff.move().post('/api/admin/quotes', body)).json;
  const { url } = (await staff.post(`/api/admin/quotes/${id}/link`, {})).json;
  const token = url.split('/').at(-1);
  const { changedAt } = (await app.visitor().post('/api/quote', { token })).json;
  const html = (await app.visitor().get(`/quote/${token}`)).text;
  const [, terms = ''] = /"hash":"([0-9a-f]{64})"/.exec(html) ?? [];
  const accepted = { token, name: 'Dana Fox', title: 'CFO', terms, changedAt, ...acceptance };
  return (visitor = app.visitor()) => visitor.post('/api/quote/accept', accepted);
}
