import { randomUUID } from 'node:crypto';
import type { FakeStripe } from './fake-stripe/fake-stripe.ts';
import { PURCHASE } from './stripe-shop.ts';
import { Visitor } from './visitor.ts';

/** Somebody who buys once, on whatever server is there, and tries again in the same tab. */
export class Buyer {
  orderId: number | undefined;
  readonly #fake: FakeStripe;
  readonly #email = `${randomUUID()}@example.com`;
  readonly #key = randomUUID();
  #cookies: Visitor['cookies'] = new Map();

  constructor(fake: FakeStripe) {
    this.#fake = fake;
  }

  /** From the order to the return address; gives the order's status. `headers` go with the first request. */
  async buy({ address }: { address: string }, headers: Record<string, string> = {}) {
    const fake = this.#fake;
    const visitor = Object.assign(new Visitor(address), { cookies: this.#cookies });
    const { json } = await visitor.post(
      '/api/create-payment-intent',
      { ...PURCHASE, email: this.#email },
      { ...headers, 'Idempotency-Key': this.#key },
    );
    this.orderId = json.orderId;
    const before = fake.events.length;
    // A second try finds it paid, when only the answer was lost.
    fake.confirmCard(json.clientSecret, '4242424242424242');
    await fake.deliver(fake.events.slice(before), { to: `${address}/api/stripe/webhook` });
    const path = `/api/orders/${json.orderId}/update-status`;
    return (await visitor.post(path, { status: 'processing' })).json.status;
  }
}
