/** A customer of the test gateway and the link to their own page. */
import { expect } from 'vitest';
import { receiptLink } from '../../src/orders/order-access.server.ts';
import type { Happening } from '../../src/payments/test-gateway/test-happenings.ts';
import { SAMPLE_ORDER } from './call-row.ts';
import type { Mailbox } from './mailbox.ts';
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

type PageOf = Pick<TestApp, 'database' | 'address'>;

export async function linkOf(app: PageOf, orderId: number) {
  const link = await receiptLink(
    { db: app.database.db, publicUrl: app.address },
    { id: orderId, linkVersion: 0 },
  );
  return { link, token: new URL(link).hash.slice(1) };
}

/** What a browser does on the order's own page. */
export async function ownPage(app: PageOf, orderId: number, visitor: Visitor) {
  const { link, token } = await linkOf(app, orderId);
  const ask = (what: string, body: object = {}) =>
    visitor.post(`/api/order-page${what && `/${what}`}`, { token, ...body });
  return {
    link,
    token,
    ask,
    account: async () => (await ask('')).json,
    /** Changes users or backup at the price that is shown for it. */
    async change(wanted: object) {
      const shown = (await ask('preview', wanted)).json;
      const { status, json } = await ask('change', { ...wanted, ...shownPrice(shown) });
      expect([status, json.message]).toEqual([200, undefined]);
      return { shown, now: json };
    },
  };
}

/** Gives the order another address, by the link that is mailed there. */
export async function giveAddress(
  { ask }: Pick<Awaited<ReturnType<typeof ownPage>>, 'ask'>,
  mailbox: Mailbox,
  email: string,
) {
  expect((await ask('email', { email })).status).toBe(204);
  const keyed = () => /\/email\/([\w-]+)/.exec(mailbox.to(email)[0]?.text ?? '')?.[1];
  await expect.poll(keyed).toBeDefined();
  const { json } = await ask('email/confirm', { key: keyed() });
  expect(json.order?.email).toBe(email);
}

export async function customer(app: TestApp, paid: object = { token: 'succeeds' }) {
  const visitor = app.visitor();
  const { json } = await visitor.post('/api/create-payment-intent', TEN_USERS);
  const { orderId, clientSecret } = json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, ...paid });
  const page = await ownPage(app, orderId, visitor);
  return {
    ...page,
    visitor,
    orderId: Number(orderId),
    happen: (...happenings: Happening[]) => happen(app, orderId, ...happenings),
    /** Replaces the card on file. */
    async replaceCard(card: object) {
      const { clientSecret: secret } = (await page.ask('card')).json;
      await visitor.post('/api/test-payments/confirm', { clientSecret: secret, ...card });
      return page.ask('card/use', { clientSecret: secret });
    },
  };
}

export type Customer = Awaited<ReturnType<typeof customer>>;

/** The part of a preview that the confirmation has to repeat. */
export function shownPrice({ at, next }: { at: string; next: { total: number } }) {
  return { at, next: next.total };
}

const STAFF = new WeakMap<object, Promise<Visitor>>();

/** Staff press what happens to an order at the test gateway; returns the order. */
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
