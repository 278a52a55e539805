/** A customer of the test gateway and the link to their own page. */
import { expect } from 'vitest';
import { receiptLink } from '../../src/orders/order-access.server.ts';
import type { Happening } from '../../src/payments/test-gateway/test-happenings.ts';
import { SAMPLE_ORDER } from './call-row.ts';
import type { TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

/** Ten users of Business Standard: 450 + 10 × 12.50. */
export const TEN_USERS = {
  ...SAMPLE_ORDER,
  ms365Option: 'business_standard',
  ms365Users: 10,
  amount: 575,
};

export const NO_BACKUP = { users: 10, backup: false };

export async function linkOf(app: Pick<TestApp, 'database' | 'address'>, orderId: number) {
  const link = await receiptLink(
    { db: app.database.db, publicUrl: app.address },
    { id: orderId, linkVersion: 0 },
  );
  return { link, token: new URL(link).hash.slice(1) };
}

export async function customer(app: TestApp, paid: object = { token: 'succeeds' }) {
  const visitor = app.visitor();
  const { json } = await visitor.post('/api/create-payment-intent', TEN_USERS);
  const { orderId, clientSecret } = json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, ...paid });
  const { link, token } = await linkOf(app, orderId);
  const ask = (what: string, body: object = {}) =>
    visitor.post(`/api/order-page/${what}`, { token, ...body });
  const account = async () => (await visitor.post('/api/order-page', { token })).json;
  return {
    visitor,
    orderId: Number(orderId),
    link,
    token,
    ask,
    account,
    happen: (...happenings: Happening[]) => happen(app, orderId, ...happenings),
    /** Replaces the card on file. */
    async replaceCard(card: object) {
      const { clientSecret: secret } = (await ask('card')).json;
      await visitor.post('/api/test-payments/confirm', { clientSecret: secret, ...card });
      return ask('card/use', { clientSecret: secret });
    },
  };
}

export type Customer = Awaited<ReturnType<typeof customer>>;

/** The part of a preview that the confirmation has to repeat. */
export function shownPrice({ at, next }: { at: string; next: { total: number } }) {
  return { at, next: next.total };
}

const STAFF = new WeakMap<object, Promise<Visitor>>();

/** Staff press what happens to an order at the test gateway, one after the other; returns the order. */
export async function happen(app: TestApp, orderId: number, ...happenings: Happening[]) {
  const signingIn = STAFF.get(app.site) ?? app.staff();
  STAFF.set(app.site, signingIn);
  const staff = await signingIn;
  let order: Awaited<ReturnType<Visitor['post']>>['json'];
  for (const happens of happenings) {
    const { status, json } = await staff
      .move()
      .post(`/api/admin/orders/${orderId}/test`, { happens });
    expect([happens, status, json.message]).toEqual([happens, 200, undefined]);
    order = json;
  }
  return order;
}
