/** Visitors, customers and staff who act nonstop and record what the site acknowledged. */
import { setTimeout as pause } from 'node:timers/promises';
import type { OrderStatus } from '../../src/billing/order-status.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../support/call-row.ts';
import { type Answered, Visitor } from '../support/visitor.ts';

/** An order that is sent with the same key until it is acknowledged. */
export interface PlacedOrder {
  key: string;
  email: string;
  amountCents: number;
  id?: number;
  /** The last acknowledged status. */
  status?: OrderStatus;
}

/** A message with a unique text, sent until it is acknowledged. */
interface SentMessage {
  text: string;
  id?: number;
  status?: string;
}

const PAGES = ['/', '/news', '/checkout?plan=2', '/api/plans', '/safeguards-check'];
/** Pause before a refused or lost request is sent again. */
const RETRY_MS = 200;

export class Load {
  readonly orders: PlacedOrder[] = [];
  readonly messages: SentMessage[] = [];
  /** When writes were acknowledged, by `performance.now()`. */
  readonly acknowledgedAt: number[] = [];
  readonly counts = { pages: 0, writes: 0, refused: 0, unanswered: 0 };
  slowestPage = { path: '', ms: 0 };
  /** What no visitor may ever see: a failed page, or an answer other than 200 or 503. */
  readonly faults: string[] = [];
  readonly #address: string;
  #over = false;
  #lanes: Promise<unknown> = Promise.resolve();

  constructor(address: string) {
    this.#address = address;
  }

  start(): void {
    const lanes = [
      ...[this.#look, this.#look],
      ...[this.#buy, this.#buy, this.#buy],
      ...[this.#write, this.#write, this.#staff],
    ];
    this.#lanes = Promise.all(lanes.map((lane, index) => this.#repeat(lane, index)));
  }

  /** Starts nothing new; resolves when everything begun has been acknowledged. */
  stop(): Promise<unknown> {
    this.#over = true;
    return this.#lanes;
  }

  async #repeat(lane: (name: string) => Promise<void>, index: number): Promise<void> {
    for (let round = 0; !this.#over; round += 1) {
      await lane.call(this, `${index}-${round}`);
      await pause(30);
    }
  }

  async #look(): Promise<void> {
    for (const path of PAGES) {
      const began = performance.now();
      const answered = await new Visitor(this.#address).get(path).catch((error) => error);
      this.counts.pages += 1;
      const ms = performance.now() - began;
      if (ms > this.slowestPage.ms) this.slowestPage = { path, ms };
      if (answered.status !== 200)
        this.faults.push(`${path}: ${answered.status ?? answered.cause ?? answered}`);
    }
  }

  async #buy(name: string): Promise<void> {
    const email = `jane-${name}@dealer.example`;
    const order: PlacedOrder = { key: `order-${name}`, email, amountCents: 45_000 };
    this.orders.push(order);
    const visitor = new Visitor(this.#address);
    const headers = { 'Idempotency-Key': order.key };
    const body = { ...SAMPLE_ORDER, email };
    const started = await this.#until(() =>
      visitor.post('/api/create-payment-intent', body, headers),
    );
    order.id = started.orderId;
    order.status = 'pending';
    const token = Number(order.id) % 4 === 0 ? 'declined' : 'succeeds';
    const { clientSecret } = started;
    const paid = await this.#until(() =>
      visitor.post('/api/test-payments/confirm', { clientSecret, token }),
    );
    order.status = paid.status === 'succeeded' ? 'paid' : 'failed';
  }

  async #write(name: string): Promise<void> {
    const text = `Our phones have been down since nine, says caller ${name}.`;
    const message: SentMessage = { text };
    this.messages.push(message);
    const visitor = new Visitor(this.#address);
    const body = { ...SAMPLE_MESSAGE, email: `caller-${name}@dealer.example`, message: text };
    message.id = (await this.#until(() => visitor.post('/api/contact', body))).contact.id;
  }

  #signedIn: Visitor | undefined;

  /** Answers the newest message, and every second time cancels a paid order. */
  async #staff(name: string): Promise<void> {
    this.#signedIn ??= await this.#signIn();
    const staff = this.#signedIn.move();
    const message = this.messages.findLast(({ id, status }) => id !== undefined && !status);
    if (message) {
      const path = `/api/admin/threads/${message.id}/status`;
      await this.#until(() => staff.post(path, { status: 'answered' }));
      message.status = 'answered';
    }
    const order = this.orders.findLast(({ status }) => status === 'paid');
    if (!order || !name.endsWith('0')) return;
    const path = `/api/admin/orders/${order.id}/cancel`;
    await this.#until(async () => {
      const version = (await staff.get(`/api/orders/${order.id}`)).json?.version;
      const answered = await staff.post(path, { when: 'now', version });
      // The previous try may have succeeded, and its answer been lost.
      if (answered.status === 200) return answered;
      if (await this.#isCanceled(staff, order)) return { ...answered, status: 200 };
      // That try's claim counts for seconds more if the database was lost meanwhile.
      return answered.status === 409 ? { ...answered, status: 503 } : answered;
    });
    order.status = 'canceled';
  }

  async #isCanceled(staff: Visitor, { id }: PlacedOrder): Promise<boolean> {
    return (await staff.get(`/api/orders/${id}`)).json?.status === 'canceled';
  }

  async #signIn(): Promise<Visitor> {
    const staff = new Visitor(this.#address);
    const credentials = { username: 'admin', password: 'showroom-demo' };
    await this.#until(() => staff.post('/api/admin/login', credentials));
    return staff;
  }

  async #until(send: () => Promise<Answered>) {
    for (;;) {
      const json = await this.#once(send);
      if (json !== undefined) return json;
      await pause(RETRY_MS);
    }
  }

  /** Returns the acknowledgement, or undefined if the request was refused or got no answer. */
  async #once(send: () => Promise<Answered>) {
    this.counts.writes += 1;
    try {
      const { status, json, text } = await send();
      if (status === 200) {
        this.acknowledgedAt.push(performance.now());
        return json;
      }
      this.counts.refused += 1;
      if (status !== 503) this.faults.push(`${status}: ${text.slice(0, 200)}`);
    } catch {
      this.counts.unanswered += 1;
    }
    return undefined;
  }
}
