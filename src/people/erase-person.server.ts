/**
 * Erases a person: messages and chats are deleted with all notifications of them, orders lose their buyer. What
 * would need the address afterwards ends first, or keeps the person from being erased.
 */

import { awaitsPayment } from '../checkout/order.ts';
import { orderReference } from '../checkout/order-reference.ts';
import { refuse } from '../platform/answer.server.ts';
import type { Row } from '../platform/tables.server.ts';
import { type By, elsewhere, type PeopleGround } from './people-ground.server.ts';
import { NOTHING_STORED } from './person.ts';
import type { Erased, EraseRequest } from './person-shapes.ts';
import {
  allOf,
  forgetBuyer,
  forgetMessages,
  lockPerson,
  ordersAt,
  referencesIn,
  type Traces,
  tracesOf,
} from './person-store.server.ts';

type Order = Row<'orders'>;

export async function erasePerson(
  ground: PeopleGround,
  { email, ...shown }: EraseRequest,
  by: By,
): Promise<Erased | Response> {
  const { db } = ground;
  const orders = await ordersAt(db, email);
  const refusal =
    refuseTraces(await tracesOf(db, email), shown) ??
    refuseOpen(orders.filter((order) => isRunning(ground, order))) ??
    (await endUnpaid(ground, orders, by.username));
  if (refusal) return refusal;
  return db.transaction().execute(async (trx) => {
    await lockPerson(trx, email);
    const locked = await ordersAt(trx, email);
    // Exactly these go: what comes from now on has been seen by nobody.
    const traces = await tracesOf(trx, email);
    const late =
      refuseTraces(traces, shown) ??
      refuseOpen(locked.filter((order) => isRunning(ground, order) || isPayable(ground, order)));
    return late ?? eraseTraces({ ...ground, db: trx }, email, traces, by);
  });
}

async function eraseTraces(
  ground: PeopleGround,
  email: string,
  traces: Traces,
  by: By,
): Promise<Erased> {
  const { db: trx } = ground;
  const { messages, chatMessages, orders } = traces;
  const all = allOf(traces);
  const copies = await elsewhere(ground, email);
  await ground.forgetDeliveriesAbout(trx, all);
  await forgetMessages(trx, traces);
  await forgetBuyer(trx, orders, `The buyer was erased by ${by.username}`);
  await ground.recordAudit(trx, { ...by, kind: 'person-erased', detail: referencesIn(all) });
  return {
    erased: [...messages, ...chatMessages].map(({ reference }) => reference),
    kept: orders.map(({ reference }) => reference),
    elsewhere: copies,
  };
}

function refuseTraces(traces: Traces, shown: Omit<EraseRequest, 'email'>): Response | undefined {
  if (allOf(traces).length === 0) return refuse(404, NOTHING_STORED);
  const same = (['messages', 'chatMessages', 'orders'] as const).every(
    (kind) => traces[kind].length === shown[kind],
  );
  return same
    ? undefined
    : refuse(409, 'Something has changed since this was shown. Please look at it again.');
}

function refuseOpen(open: readonly Order[]): Response | undefined {
  if (open.length === 0) return undefined;
  const numbers = open.map(({ id }) => orderReference(id)).join(', ');
  return refuse(
    409,
    `Nothing was erased. These orders are running or being paid: ${numbers}. Please end them first: their bills and receipts need the address.`,
  );
}

/** Whether money still comes by it. Under live keys nobody is charged for what was bought in a trial run. */
export function isRunning({ gateway }: PeopleGround, order: Order): boolean {
  const charged = ['processing', 'paid', 'past_due'].includes(order.status);
  return charged && (isOurs(gateway, order) || order.live !== 0);
}

function isPayable({ gateway }: PeopleGround, order: Order): boolean {
  return awaitsPayment(order.status) && isOurs(gateway, order);
}

/** Placed with the provider, and in the mode, that is in force. */
function isOurs({ config, live }: PeopleGround['gateway'], order: Order): boolean {
  const sameMode = order.live === null || (order.live === 1) === live;
  return order.provider === config.provider && sameMode;
}

/** Somebody might still pay these, and would be a customer whom nobody knows. */
async function endUnpaid(
  ground: PeopleGround,
  orders: readonly Order[],
  username: string,
): Promise<Response | undefined> {
  for (const order of orders.filter((each) => isPayable(ground, each))) {
    const outcome = await ground.endOrder(order, username);
    if (outcome === 'done') continue;
    const failed = `Nothing was erased: order ${orderReference(order.id)} could not be ended.`;
    return outcome === 'away'
      ? refuse(503, `${failed} The payment provider does not answer.`, { retryAfter: 5 })
      : refuse(409, `${failed} ${outcome.refused}`);
  }
  return undefined;
}
