/**
 * A customer changes the users or the backup: what was asked is stored first, then the provider is asked, then the order
 * follows. Whatever is killed in between is finished later, once.
 */
import type { Kysely } from 'kysely';
import type { AddOnPrices } from '../../catalogue/pricing.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import type { OrderDeps } from '../follow-payment.server.ts';
import type { Gateway } from '../gateway.server.ts';
import { orderChanged } from '../notifications/order-changed.server.ts';
import { CHANGED, firstDue, salesTax } from '../order.ts';
import { addNote, lockOrder, readInvoices } from '../order-billing-store.server.ts';
import { type Order, orderNow } from '../order-store.server.ts';
import type {
  ChangePreview,
  NotDone,
  StaffOutcome,
  SubscriptionChange,
} from '../subscription.server.ts';
import { linesWith, sameSeats, seatsOf } from './account/plan-lines.ts';
import type { Seats } from './account-shapes.ts';
import {
  changesUnderWay,
  changeUnderWay,
  findChangeByKey,
  insertChange,
  type OrderChange,
  planSide,
  settleChange,
} from './order-change-store.server.ts';

export interface ChangeDeps extends OrderDeps {
  addOnPrices(): AddOnPrices;
}

interface Wanted {
  seats: Seats;
  /** What the page showed. */
  from: Seats;
}

/** How long a price that was shown can be confirmed. */
const SHOWN_MS = 15 * 60 * 1000;

const NEW_PRICE = { refused: 'The price has changed. Please look at it again.' };
const UNDER_WAY = {
  refused: 'A change to your plan is being made right now. Please wait a minute and look again.',
};

/** What the change would come to, from now on. */
export async function previewChange(
  deps: ChangeDeps,
  order: Order,
  wanted: Wanted,
): Promise<(ChangePreview & { at: number }) | NotDone> {
  const refusal = await refusalOf(deps.db, order, wanted);
  if (refusal) return refusal;
  const at = await timeAt(deps.gateway);
  const shown = await deps.gateway.subscriptions.preview(order, changeOf(deps, order, wanted, at));
  return shown === 'away' || 'refused' in shown ? shown : { ...shown, at };
}

/** Makes the change as it was shown at that moment; the same key asks for it once. */
export async function changePlan(
  deps: ChangeDeps,
  order: Order,
  wanted: Wanted & { at: number; key: string },
): Promise<StaffOutcome> {
  const known = await findChangeByKey(deps.db, order.id, wanted.key);
  if (known) return finishChange(deps, known);
  const now = await timeAt(deps.gateway);
  if (wanted.at > now || wanted.at < now - SHOWN_MS) return NEW_PRICE;
  const refusal = await refusalOf(deps.db, order, wanted);
  if (refusal) return refusal;
  // A new month may have begun since: then its price is another.
  if (wanted.at < (await paidSince(deps.db, order.id))) return NEW_PRICE;
  const change = changeOf(deps, order, wanted, wanted.at);
  const shown = await deps.gateway.subscriptions.preview(order, change);
  if (shown === 'away' || 'refused' in shown) return shown;
  if (wanted.at >= shown.next.at) return NEW_PRICE;
  const asked = await askChange(deps, order, wanted, change, shown);
  return 'refused' in asked ? asked : finishChange(deps, asked);
}

/** Finishes what was asked of a provider that did not answer, or by a process that was killed. */
export async function finishChanges(deps: ChangeDeps, isStopped: () => boolean): Promise<void> {
  for (const change of await changesUnderWay(deps.db)) {
    if (isStopped()) return;
    await finishChange(deps, change);
  }
}

/** Whole seconds, as the provider counts them. */
async function timeAt({ subscriptions }: Gateway): Promise<number> {
  const now = (await subscriptions.now?.()) ?? Date.now();
  return Math.floor(now / 1000) * 1000;
}

/** Why this order is not changed in this way, in words for its customer. */
async function refusalOf(
  db: Kysely<Tables>,
  order: Order,
  { seats, from }: Wanted,
): Promise<{ refused: string } | undefined> {
  const now = seatsOf(order);
  if (order.status === 'past_due')
    return { refused: 'Your last payment is overdue. Please replace your card first.' };
  if (order.status !== 'paid')
    return { refused: 'This plan isn’t running, so it can’t be changed.' };
  if (order.endsAt !== null)
    return { refused: 'Your plan is set to end. Choose “Keep my plan” before you change it.' };
  if (order.ms365Option === 'none')
    return { refused: 'Your plan has no Microsoft 365 users to change. Please call us.' };
  if (!sameSeats(from, now))
    return {
      refused: 'Your plan has changed since you opened this page. Please look at it again.',
    };
  if (sameSeats(seats, now)) return { refused: 'That’s the plan you have already.' };
  return (await changeUnderWay(db, order.id)) ? UNDER_WAY : undefined;
}

function changeOf(
  { addOnPrices }: ChangeDeps,
  order: Order,
  { seats }: Wanted,
  at: number,
): SubscriptionChange {
  return { lines: linesWith(order, seats, addOnPrices().cloudBackup), at };
}

/** When the newest month that is paid began, as far as it is known. */
async function paidSince(db: Kysely<Tables>, orderId: number): Promise<number> {
  const paid = (await readInvoices(db, orderId)).filter((bill) => bill.paid);
  return Math.max(0, ...paid.map(({ periodStart }) => periodStart ?? 0));
}

/** Stores what was asked, unless the order is another by now. */
async function askChange(
  { db }: ChangeDeps,
  order: Order,
  wanted: Wanted & { at: number; key: string },
  { lines }: SubscriptionChange,
  { next }: ChangePreview,
): Promise<OrderChange | { refused: string }> {
  return db.transaction().execute(async (trx) => {
    const locked = await lockOrder(trx, order.id);
    const refusal = await refusalOf(trx, locked, wanted);
    if (refusal) return refusal;
    const { seats, at, key } = wanted;
    const before = { ...seatsOf(locked), lines: JSON.parse(locked.priceLines) };
    const after = { ...seats, lines, next: { at: next.at, total: next.total } };
    const asked = await insertChange(trx, {
      orderId: order.id,
      key,
      what: 'plan',
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      at,
      state: 'asked',
    });
    return asked ?? UNDER_WAY;
  });
}

async function finishChange(deps: ChangeDeps, change: OrderChange): Promise<StaffOutcome> {
  const { db, gateway } = deps;
  if (change.state === 'done') return 'done';
  if (change.state === 'refused') return NEW_PRICE;
  const { lines } = planSide(change.after);
  const order = await orderNow(db, { id: change.orderId });
  const key = `change-${order.id}-${change.key}`;
  const outcome = await gateway.subscriptions.change(order, { lines, at: change.at }, key);
  if (outcome === 'away') return outcome;
  await db.transaction().execute((trx) => settle(trx, deps, change, outcome));
  return outcome;
}

/** The order becomes what the provider has made of it. */
async function settle(
  trx: Kysely<Tables>,
  { notify }: ChangeDeps,
  change: OrderChange,
  outcome: 'done' | { refused: string },
): Promise<void> {
  const order = await lockOrder(trx, change.orderId);
  const isDone = outcome === 'done';
  if (!(await settleChange(trx, change.id, isDone ? 'done' : 'refused'))) return;
  const [before, after] = [planSide(change.before), planSide(change.after)];
  const words = `${inWords(before)} → ${inWords(after)}`;
  if (!isDone) {
    await addNote(
      trx,
      order.id,
      `A change by the customer was refused: ${words}: ${outcome.refused}`,
    );
    return;
  }
  const amountCents = after.lines.reduce((sum, { amount }) => sum + amount, 0);
  const tax = Math.round((salesTax(order) * amountCents) / Math.max(1, order.amountCents));
  await trx
    .updateTable('orders')
    .set({
      ms365Users: after.users,
      includeCloudBackup: after.backup ? 1 : 0,
      priceLines: JSON.stringify(after.lines),
      amountCents: cents(amountCents),
      dueCents: cents(amountCents + tax),
      firstDueCents: firstDue(order),
    })
    .where('id', '=', order.id)
    .execute();
  await addNote(trx, order.id, `${CHANGED}: ${words}`);
  await notify(trx, orderChanged, order.id);
}

function inWords({ users, backup }: Seats): string {
  return `${users} ${users === 1 ? 'user' : 'users'}, ${backup ? 'with' : 'without'} backup`;
}
