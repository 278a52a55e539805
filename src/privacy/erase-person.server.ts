/**
 * Erases a person: messages, chats and quotes are deleted with all notifications of them, orders lose their buyer. What
 * would need the address afterwards ends first, or keeps the person from being erased.
 */
import { awaitsPayment, orderReference } from '../orders/order.ts';
import { emptyWriteAheadLog } from '../platform/database/sqlite.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { forgetBuyer, forgetMessages, lockPerson } from './forget-store.server.ts';
import { type By, elsewhere, type PeopleDeps } from './people-deps.server.ts';
import { NOTHING_STORED } from './person.ts';
import type { Erased, EraseRequest } from './person-shapes.ts';
import { ordersAt, tracesOf } from './person-store.server.ts';
import { allOf, referencesIn, type Traces } from './traces.server.ts';

type Order = Row<'orders'>;

export async function erasePerson(
  deps: PeopleDeps,
  { email, ...shown }: EraseRequest,
  by: By,
): Promise<Erased | Response> {
  const { db } = deps;
  const orders = await ordersAt(db, email);
  const refusal =
    refuseTraces(await tracesOf(db, email), shown) ??
    refuseOpen(orders.filter((order) => isRunning(deps, order))) ??
    (await endUnpaid(deps, orders, by.username));
  if (refusal) return refusal;
  const erased = await db.transaction().execute(async (trx) => {
    await lockPerson(trx, email);
    const locked = await ordersAt(trx, email);
    // Exactly these go: what comes from now on has been seen by nobody.
    const traces = await tracesOf(trx, email);
    const late =
      refuseTraces(traces, shown) ??
      refuseOpen(locked.filter((order) => isRunning(deps, order) || isPayable(deps, order)));
    return late ?? eraseTraces({ ...deps, db: trx }, email, traces, by);
  });
  // What was deleted would stand in SQLite's write-ahead log until much else is written.
  await emptyWriteAheadLog(deps);
  return erased;
}

async function eraseTraces(
  deps: PeopleDeps,
  email: string,
  traces: Traces,
  by: By,
): Promise<Erased> {
  const { db: trx } = deps;
  const { messages, chatMessages, quotes, orders } = traces;
  const all = allOf(traces);
  const copies = await elsewhere(deps, email);
  await deps.forgetDeliveriesAbout(trx, all);
  await forgetMessages(trx, traces);
  await deps.forgetRequests(trx, email);
  await forgetBuyer(trx, orders, `Buyer erased by ${by.username}`);
  await deps.recordAudit(trx, { ...by, kind: 'person-erased', detail: referencesIn(all) });
  return {
    erased: [...messages, ...chatMessages, ...quotes].map(({ reference }) => reference),
    kept: orders.map(({ reference }) => reference),
    elsewhere: copies,
  };
}

function refuseTraces(traces: Traces, shown: Omit<EraseRequest, 'email'>): Response | undefined {
  if (allOf(traces).length === 0) return refuse(404, NOTHING_STORED);
  const same = (['messages', 'chatMessages', 'quotes', 'orders'] as const).every(
    (kind) => traces[kind].length === shown[kind],
  );
  return same
    ? undefined
    : refuse(409, 'Something has changed since you opened this. Please review it again.');
}

function refuseOpen(open: readonly Order[]): Response | undefined {
  if (open.length === 0) return undefined;
  const numbers = open.map(({ id }) => orderReference(id)).join(', ');
  return refuse(
    409,
    `Nothing was erased. These orders are active or being paid: ${numbers}. Please cancel them first. Their bills and receipts need this email address.`,
  );
}

/** Whether money still comes by it. Under live keys nobody is charged for what was bought in a trial run. */
export function isRunning({ gateway }: PeopleDeps, order: Order): boolean {
  const charged = ['processing', 'paid', 'past_due'].includes(order.status);
  return charged && (isOurs(gateway, order) || order.live !== 0);
}

function isPayable({ gateway }: PeopleDeps, order: Order): boolean {
  return awaitsPayment(order.status) && isOurs(gateway, order);
}

/** Placed with the provider, and in the mode, that is in force. */
function isOurs({ provider, live }: PeopleDeps['gateway'], order: Order): boolean {
  const sameMode = order.live === null || (order.live === 1) === live;
  return order.provider === provider && sameMode;
}

/** Somebody might still pay these, and would be a customer whom nobody knows. */
async function endUnpaid(
  deps: PeopleDeps,
  orders: readonly Order[],
  username: string,
): Promise<Response | undefined> {
  for (const order of orders.filter((each) => isPayable(deps, each))) {
    const outcome = await deps.endOrder(order, username);
    if (outcome === 'done') continue;
    const failed = `Nothing was erased because order ${orderReference(order.id)} couldn’t be canceled.`;
    return outcome === 'unavailable'
      ? refuse(503, `${failed} Payments are unavailable right now.`, { retryAfter: 5 })
      : refuse(409, `${failed} ${outcome.refused}`);
  }
  return undefined;
}
