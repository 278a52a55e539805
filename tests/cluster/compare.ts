/** Compares what the clients recorded with the database and the mailbox afterwards. */

import { canTransition, type OrderStatus } from '../../src/billing/order-status.ts';
import { orderReference } from '../../src/billing/reference.ts';
import type { ReceivedMail } from '../support/mailbox.ts';
import type { Load, PlacedOrder } from './load.ts';
import { query } from './machines.ts';

export interface Comparison {
  lost: string[];
  twice: string[];
  wrong: string[];
  /** Emails delivered again under one Message-ID: a failure lost the acknowledgement. */
  repeatedMails: number;
}

interface OrderRow {
  id: number;
  email: string;
  idempotencyKey: string;
  status: OrderStatus;
  amountCents: number;
  history: OrderStatus[];
  payments: { status: string; amountCents: number }[];
  invoices: number[];
}

const ORDERS = `
  SELECT id, email, "idempotencyKey", orders.status, "amountCents",
    ARRAY(SELECT data::json ->> 'to' FROM "orderEvents"
      WHERE "orderId" = orders.id AND kind = 'status' ORDER BY id) AS history,
    (SELECT coalesce(json_agg(json_build_object('status', status, 'amountCents', "amountCents")), '[]')
       FROM "testPayments" WHERE "orderId" = orders.id) AS payments,
    ARRAY(SELECT "amountCents" FROM invoices WHERE "orderId" = orders.id) AS invoices
  FROM orders JOIN subscriptions ON subscriptions."orderId" = orders.id`;

export async function compare(load: Load, mails: readonly ReceivedMail[]): Promise<Comparison> {
  const orders: OrderRow[] = await query(ORDERS, 'site');
  const messages = await query(
    'SELECT threads.id, text AS message, status FROM threads JOIN entries ON "threadId" = threads.id',
    'site',
  );
  const open = await query(`SELECT id FROM outbox WHERE state <> 'accepted'`, 'site');

  const result: Comparison = { lost: [], twice: [], wrong: [], repeatedMails: 0 };
  const count = (found: number, what: string, least = 1) => {
    if (found < least) result.lost.push(what);
    if (found > 1) result.twice.push(`${what}: ${found}`);
  };

  const byEmail = Map.groupBy(orders, ({ email }) => email);
  for (const placed of load.orders) {
    const found = byEmail.get(placed.email) ?? [];
    count(found.length, placed.key, placed.id === undefined ? 0 : 1);
    const [row] = found;
    if (row) result.wrong.push(...orderFaults(placed, row));
    byEmail.delete(placed.email);
  }
  for (const email of byEmail.keys()) result.wrong.push(`an order of ${email} that was never sent`);

  const byText = Map.groupBy(messages, ({ message }) => message);
  for (const { text, id, status } of load.messages) {
    const found = byText.get(text) ?? [];
    count(found.length, text, id === undefined ? 0 : 1);
    if (id !== undefined && found[0]?.id !== id) result.lost.push(`${text}: number ${id}`);
    if (status && found[0]?.status !== status) result.lost.push(`${text}: status ${status}`);
  }

  if (open.length > 0) result.lost.push(`${open.length} notifications are not accepted`);
  const byId = Map.groupBy(mails, ({ messageId }) => messageId);
  result.repeatedMails = mails.length - byId.size;
  const once = [...byId.values()].flatMap(([mail]) => mail ?? []);
  const sent = Map.groupBy(once, ({ subject = '', recipients }) => {
    const [number] = /[CO]-\d+(?: \d{3})*/.exec(subject) ?? [];
    return `${number} to ${recipients[0]?.startsWith('desk@') ? 'staff' : 'customer'}`;
  });
  const subjects = (about: string, words: RegExp) =>
    (sent.get(about) ?? []).filter(({ subject = '' }) => words.test(subject)).length;
  for (const { id, status } of load.orders) {
    if (id === undefined || (status !== 'paid' && status !== 'canceled')) continue;
    count(
      subjects(`${orderReference(id)} to staff`, /New order/),
      `the email to staff about O-${id}`,
    );
    count(subjects(`${orderReference(id)} to customer`, /Receipt/), `the receipt of O-${id}`);
  }
  for (const { id } of load.messages) {
    if (id === undefined) continue;
    count(subjects(`C-${id} to staff`, /New message/), `the email to staff about C-${id}`);
    count(subjects(`C-${id} to customer`, /received/), `the confirmation of C-${id}`);
  }
  return result;
}

function orderFaults(placed: PlacedOrder, row: OrderRow): string[] {
  const { id, status, amountCents, history, payments, invoices } = row;
  const isPaid = history.includes('paid');
  const faults = [
    placed.id !== undefined && placed.id !== id && `acknowledged as ${placed.id}`,
    placed.status && placed.status !== status && `${status}, acknowledged as ${placed.status}`,
    history.at(-1) !== status && `${status}, the end of its history is ${history.at(-1)}`,
    history.some((to, index) => {
      const from = history[index - 1];
      return from && !canTransition(from, to, 'provider');
    }) && `went ${history.join(' → ')}`,
    amountCents !== placed.amountCents && `${amountCents} cents`,
    placed.status && payments.length !== 1 && `${payments.length} payments`,
    payments.some((each) => each.amountCents !== amountCents) && 'pays another amount',
    isPaid !== (payments[0]?.status === 'succeeded') && `payment ${payments[0]?.status}`,
    invoices.join() !== (isPaid ? String(amountCents) : '') && `invoices of ${invoices.join()}`,
  ];
  return faults.filter((fault) => typeof fault === 'string').map((fault) => `O-${id}: ${fault}`);
}
