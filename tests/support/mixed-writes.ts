/** Customers who order and pay without a pause, each writing down what the server acknowledged. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../../src/platform/database/tables.server.ts';
import { SAMPLE_ORDER } from './call-row.ts';
import { signedIn, Visitor } from './visitor.ts';

export interface Acknowledged {
  /** The order's idempotency key, known before anything is sent. */
  key: string;
  orderId?: number;
  paid?: boolean;
}

export interface Shift {
  acknowledged: Acknowledged[];
  /** Statuses other than the wanted ones, which the server answered meanwhile. */
  refused: { status: number; retryAfter: string | null; took: number }[];
  /** Requests without an answer. */
  unanswered: number;
  /** Resolves when so many orders have been acknowledged. */
  orders(count: number): Promise<void>;
  /** No further requests; resolves when those under way have ended. */
  end(): Promise<void>;
}

/** Sends orders and payments over `lanes` lanes at once until told to end, or until nobody listens any more. */
export function startShift(address: string, lanes: number, round: string): Shift {
  const shift: Omit<Shift, 'orders' | 'end'> = { acknowledged: [], refused: [], unanswered: 0 };
  let over = false;
  let count = 0;

  async function customer(): Promise<void> {
    count += 1;
    const entry: Acknowledged = { key: `${round}-${count}` };
    shift.acknowledged.push(entry);
    const visitor = new Visitor(address);
    // A mailbox gets few emails a day.
    const body = { ...SAMPLE_ORDER, email: `jane-${entry.key}@dealer.example` };
    const order = await send(visitor, '/api/create-payment-intent', body, {
      'Idempotency-Key': entry.key,
    });
    if (!order) return;
    entry.orderId = order.orderId;
    const { clientSecret } = order;
    const token = count % 3 === 0 ? 'declined' : 'succeeds';
    const payment = await send(visitor, '/api/test-payments/confirm', { clientSecret, token });
    if (payment) entry.paid = payment.status === 'succeeded';
  }

  async function send(visitor: Visitor, path: string, body: object, headers = {}) {
    const began = performance.now();
    try {
      const { status, json, headers: got } = await visitor.post(path, body, headers);
      if (status === 200) return json;
      const took = performance.now() - began;
      shift.refused.push({ status, retryAfter: got.get('retry-after'), took });
    } catch {
      shift.unanswered += 1;
    }
    // Whoever was refused, or found nobody, tries again a little later.
    await pause(20);
    return undefined;
  }

  async function lane(): Promise<void> {
    while (!over) await customer();
  }

  const work = Promise.all(Array.from({ length: lanes }, lane));
  return Object.assign(shift, {
    async orders(wanted: number) {
      const told = () => shift.acknowledged.filter(({ orderId }) => orderId !== undefined).length;
      while (told() < wanted) await pause(1);
    },
    async end() {
      over = true;
      await work;
    },
  });
}

/** What is missing or torn in the final state, compared with what was acknowledged; empty when all is well. */
export async function compareWithFinalState(
  address: string,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const staff = await signedIn(address);
  const faults: string[] = [];
  for (const { key, orderId, paid } of acknowledged) {
    if (orderId === undefined) continue;
    staff.address = `10.1.${orderId % 250}.${Math.floor(orderId / 250) % 250}`;
    const { status, json } = await staff.get(`/api/orders/${orderId}`);
    if (status !== 200) faults.push(`${key}: order ${orderId} is lost (${status})`);
    else if (paid !== undefined && json.status !== (paid ? 'paid' : 'failed'))
      faults.push(`${key}: order ${orderId} is ${json.status}, paid was ${paid}`);
    else if (json.history.at(-1)?.status !== json.status)
      faults.push(`${key}: order ${orderId} is ${json.status}, its history says otherwise`);
    else if (json.paymentId === null) faults.push(`${key}: order ${orderId} has no payment`);
  }
  return faults;
}

/** Rows that no finished transaction can leave behind, whether or not anybody was told of them. */
export async function tornRows(db: Kysely<Tables>): Promise<string[]> {
  const orders = await db.selectFrom('orders').selectAll().execute();
  const history = await db.selectFrom('orderHistory').selectAll().orderBy('id').execute();
  const statuses = history.filter(({ status }) => status !== null);
  const payments = await db.selectFrom('testPayments').selectAll().execute();
  const last = new Map(statuses.map(({ orderId, status }) => [orderId, status]));
  const ids = new Set(orders.map(({ id }) => id));
  const keys = orders.map(({ idempotencyKey }) => idempotencyKey).filter((key) => key !== null);
  return [
    ...orders
      .filter(({ id, status }) => last.get(id) !== status)
      .map(({ id, status }) => `order ${id} is ${status}, its history ends ${last.get(id)}`),
    ...payments
      .filter(({ orderId }) => !ids.has(orderId))
      .map(({ id }) => `payment ${id} has no order`),
    ...payments
      .filter(({ orderId, status }) => (status === 'succeeded') !== (last.get(orderId) === 'paid'))
      .map(({ id, status, orderId }) => `payment ${id} ${status}, order ${last.get(orderId)}`),
    ...(new Set(keys).size === keys.length ? [] : ['one key has two orders']),
  ];
}
