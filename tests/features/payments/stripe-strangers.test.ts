/** What somebody types who has not paid and is not known changes nothing that belongs to a customer at Stripe. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openShop,
  order,
  rowOf,
  type Started,
  type StripeShop,
  submit,
} from '../../support/stripe-shop.ts';

const GOOD = '4242424242424242';
/** What a stranger would like the customer to be called, to live at and to own. */
const STRANGER = {
  name: 'Mallory Stranger',
  phone: '404 555 0199',
  planId: 1,
  ms365Option: 'e3',
  ms365Users: 3,
  amount: 450 + 3 * 36 + 3 * 4.95,
};

describe.each(['off', 'on'])(
  'with sales tax %s, an unpaid order for a customer’s address',
  (tax) => {
    let shop: StripeShop;
    beforeAll(async () => {
      shop = await openShop({ STRIPE_TAX: tax }, { taxPercent: 8 });
      shop.fake.autoDeliver({ url: shop.webhook, secret: shop.fake.webhookSecret });
    });
    afterAll(() => shop.close());

    const zip = (postalCode: string) => (tax === 'on' ? { postalCode } : {});

    async function customer(): Promise<Started & { email: string; customerId: string }> {
      const email = `${randomUUID()}@example.com`;
      const placed = await order(shop, { email, ...zip('30060') });
      shop.fake.confirmCard(placed.clientSecret, GOOD);
      await shop.fake.settled();
      const { status, customerId } = await rowOf(shop, placed.orderId);
      expect(status).toBe('paid');
      return { ...placed, email, customerId: customerId ?? '' };
    }

    /** Everything that Stripe has, by its id. */
    const everything = () =>
      Object.values(shop.fake.state).flatMap((table) =>
        [...table].map(([id, row]) => [id, JSON.stringify(row)] as const),
      );

    test('leaves everything at Stripe as it was, whatever becomes of it', async () => {
      const { email, customerId } = await customer();
      const before = new Map(everything());
      const requests = shop.fake.requests.length;
      const stranger = shop.app.visitor();
      const placed = await submit(stranger, { ...STRANGER, email, ...zip('99501') });
      expect(placed.status).toBe(200);
      shop.fake.confirmCard(placed.json.clientSecret, '4000000000000002');
      await shop.fake.settled();
      const path = `/api/orders/${placed.json.orderId}/update-status`;
      expect((await stranger.post(path, { status: 'processing' })).json.status).toBe('failed');
      await shop.staff
        .move()
        .post(`/api/admin/orders/${placed.json.orderId}/cancel`, { when: 'now' });
      const after = new Map(everything());
      expect([...before].filter(([id, row]) => after.get(id) !== row)).toEqual([]);
      const named = shop.fake.requests.slice(requests).map(({ path, raw }) => `${path}?${raw}`);
      expect(named.filter((each) => each.includes(customerId))).toEqual([]);
    });

    test('spends no credit, and tells nothing of it', async () => {
      const { email, customerId } = await customer();
      Object.assign(shop.fake.state.customer.get(customerId) ?? {}, { balance: -500_000 });
      const known = await submit(shop.app.visitor(), { email, ...zip('99501') });
      const unknown = await submit(shop.app.visitor(), {
        email: `${randomUUID()}@example.com`,
        ...zip('99501'),
      });
      const shape = ({ status, json }: typeof known) => [
        status,
        json.amount,
        typeof json.clientSecret,
        Object.keys(json),
      ];
      expect(shape(known)).toEqual(shape(unknown));
      expect(shop.fake.state.customer.get(customerId)?.balance).toBe(-500_000);
    });

    test('stays the stranger’s own customer when it is paid, under the address that was typed', async () => {
      const { email, customerId } = await customer();
      const { orderId, clientSecret } = await order(shop, { ...STRANGER, email, ...zip('99501') });
      shop.fake.confirmCard(clientSecret, GOOD);
      const own = shop.fake.state.customer.get((await rowOf(shop, orderId)).customerId ?? '');
      expect(own).toMatchObject({ email, name: STRANGER.name, phone: STRANGER.phone });
      expect(own?.id).not.toBe(customerId);
      expect(own?.address?.postal_code).toBe(tax === 'on' ? '99501' : undefined);
    });
  },
);

describe('the browser that has bought', () => {
  let shop: StripeShop;
  beforeAll(async () => {
    shop = await openShop({ STRIPE_TAX: 'on' });
  });
  afterAll(() => shop.close());

  const buyAgain = async (
    { visitor }: Pick<Started, 'visitor'>,
    email: string,
    postalCode: string,
  ) => {
    const { json } = await submit(visitor, { email, postalCode, planId: 3, amount: 2299 });
    return (await rowOf(shop, json.orderId)).customerId ?? '';
  };

  test('goes on with its customer, in whatever spelling, and may move', async () => {
    const email = 'Pat.Again@example.com';
    const first = await order(shop, { email, postalCode: '30060' } as object);
    const { customerId } = await rowOf(shop, first.orderId);
    expect(await buyAgain(first, email.toUpperCase(), '30301')).toBe(customerId);
    expect(shop.fake.state.customer.get(customerId ?? '')?.address?.postal_code).toBe('30301');
    expect(await buyAgain(first, 'somebody.else@example.com', '30301')).not.toBe(customerId);
  });

  test('does not go on with a customer that another browser’s order hangs on, as older versions made them', async () => {
    const email = 'shared@example.com';
    const [mine, theirs] = [
      await order(shop, { email, postalCode: '30060' } as object),
      await order(shop, { email, postalCode: '30060' } as object),
    ];
    const { customerId } = await rowOf(shop, mine.orderId);
    await shop.app.database.db
      .updateTable('orders')
      .set({ customerId })
      .where('id', '=', theirs.orderId)
      .execute();
    expect(await buyAgain(theirs, email, '99501')).not.toBe(customerId);
    expect(shop.fake.state.customer.get(customerId ?? '')?.address?.postal_code).toBe('30060');
  });
});
