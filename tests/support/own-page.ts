/** A customer of the test gateway and the link to their own page. */
import { receiptLink } from '../../src/orders/order-access.server.ts';
import { moveClock } from '../../src/payments/test-gateway/test-billing.server.ts';
import { SAMPLE_ORDER } from './call-row.ts';
import type { TestApp } from './test-app.ts';

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

/** Moves the demo's clock, so that everything due by then happens now. */
export function moveClockTo({ database }: TestApp, until: string): Promise<string[]> {
  return moveClock(database.db, Date.parse(until));
}
