/** Customers who order and pay nonstop, and record what the server acknowledged. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../src/platform/database/tables.server.ts';
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
  /** Answers with a status other than 200, after which the same request is sent again. */
  refused: { status: number; retryAfter: string | null }[];
  /** Requests without an answer. */
  unanswered: number;
  /** Resolves when `count` orders have been acknowledged. */
  orders(count: number): Promise<void>;
  /** Stops sending; resolves when the requests in flight have ended. */
  end(): Promise<void>;
}

/** Sends orders and payments over `lanes` parallel lanes until `end()`. */
export function startShift(address: string, lanes: number, round: string): Shift {
  const shift: Omit<Shift, 'orders' | 'end'> = { acknowledged: [], refused: [], unanswered: 0 };
  let over = false;
  let count = 0;

  async function customer(): Promise<void> {
    count += 1;
    const entry: Acknowledged = { key: `${round}-${count}` };
    shift.acknowledged.push(entry);
    const visitor = new Visitor(address);
    // A new address each time: the site sends only a few emails a day to one.
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
    for (;;) {
      const answered = await visitor.post(path, body, headers).catch(() => null);
      if (!answered) shift.unanswered += 1;
      if (answered?.status === 200) return answered.json;
      if (answered) {
        const retryAfter = answered.headers.get('retry-after');
        shift.refused.push({ status: answered.status, retryAfter });
      }
      // A refused or disconnected customer tries again shortly.
      await pause(20);
      if (over || !answered) return undefined;
    }
  }

  async function lane(): Promise<void> {
    while (!over) await customer();
  }

  const work = Promise.all(Array.from({ length: lanes }, lane));
  return Object.assign(shift, {
    async orders(wanted: number) {
      const done = () => shift.acknowledged.filter(({ orderId }) => orderId !== undefined).length;
      while (done() < wanted) await pause(1);
    },
    async end() {
      over = true;
      await work;
    },
  });
}

/** Returns what was acknowledged but is missing or inconsistent in the final state. */
export async function compareWithFinalState(
  address: string,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  // On a busy machine, a server that has just started may still wait for its database.
  while (!(await fetch(`${address}/readyz`)).ok) await pause(50);
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
      faults.push(`${key}: order ${orderId} is ${json.status}, its history ends differently`);
    else if (json.paymentId === null) faults.push(`${key}: order ${orderId} has no payment`);
  }
  return faults;
}

/** Returns rows that only a half-finished transaction could leave behind, acknowledged or not. */
export async function tornRows(db: Db): Promise<string[]> {
  const orders = await db.selectFrom('orders').selectAll().execute();
  const events = db.selectFrom('orderEvents').selectAll().where('kind', '=', 'status');
  const statuses = await events.orderBy('id').execute();
  const payments = await db.selectFrom('testPayments').selectAll().execute();
  const last = new Map(statuses.map(({ orderId, data }) => [orderId, JSON.parse(data).to]));
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
