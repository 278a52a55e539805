/**
 * Calls of the customer's own page. A change is made at the provider first, and the order then
 * follows the provider's state: if the process dies in between, reconciliation updates the order
 * later.
 */

import { hash } from 'node:crypto';
import { endOrder } from '../billing/abandon-order.server.ts';
import { owesByCard } from '../billing/billed-order.server.ts';
import { cardCharge } from '../billing/charge-store.server.ts';
import { whileClaimed } from '../billing/claim-order.server.ts';
import { followNow, type OrderContext } from '../billing/follow-payment.server.ts';
import { isNotDone, type NotDone, type Outcome, refuseOutcome } from '../billing/gateway.server.ts';
import { invoiceStateOf, isOwed } from '../billing/invoice.ts';
import { type Invoice, needsConfirmation } from '../billing/invoice-store.server.ts';
import { byCustomer } from '../billing/order-event.server.ts';
import { actAtProvider, recordEvent } from '../billing/order-event-store.server.ts';
import { isOver, isRunning } from '../billing/order-status.ts';
import { getOrder, type Order } from '../billing/order-store.server.ts';
import {
  announcedLines,
  asToday,
  findPriceChange,
  isComing,
  type PriceChange,
  pricesToCome,
} from '../billing/price-change-store.server.ts';
import { paysRealMoney } from '../billing/subscription-store.server.ts';
import { inDollars, linesInDollars, type PriceLine } from '../catalogue/pricing.ts';
import { ORDER_ACCOUNT_CALLS, ORDER_CHANGE_CALLS } from '../limits.ts';
import { findLinkedOrder, hasAccess, redeemAccessLink } from '../orders/order-access.server.ts';
import { orderJson } from '../orders/order-json.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call } from '../platform/http/call.server.ts';
import type { Cookies } from '../platform/http/cookies.server.ts';
import { cents, toDollars } from '../platform/money.ts';
import type { Site } from '../platform/site.server.ts';
import { isoTime, isoTimeOrNull } from '../platform/time.ts';
import {
  type AccountJson,
  CANCEL_PLAN,
  CHANGE_PLAN,
  GET_ACCOUNT,
  OPEN_ACCESS_LINK,
  PREVIEW_CHANGE,
  REPLACE_CARD,
  RESUME_PLAN,
  SET_ADDRESS,
  START_CARD,
} from './account-api.ts';
import { changePlan, previewChange } from './change-plan.server.ts';

const VIEWING = { access: 'anyone', limit: ORDER_ACCOUNT_CALLS } as const;
const CHANGING = { access: 'anyone', limit: ORDER_CHANGE_CALLS } as const;

const CHANGED = {
  refused: 'Your plan has changed since you opened this page. Please look at it again.',
};
const UNDECIDED = {
  refused: 'Your bank is deciding on a payment right now. Please try again in a minute.',
};
const USED_LINK = {
  refused: 'This link has been used, or is older than 30 minutes. Please ask for a new one.',
};
const READ_ONLY_LINK = {
  refused:
    'This link only shows your order. To change it, please ask for a link by email: it works once, for 30 minutes.',
};

/** 'access': may change the order. 'running plan': the active provider runs it. 'card': by card. */
type Needs = 'link' | 'access' | 'running plan' | 'card';

type Caller = Pick<CallRequest<unknown>, 'cookies' | 'storage'>;

/** What the calls share: the order that a link leads to, and how a change of it is answered. */
function linkedOrders(context: Site) {
  const { db } = context;

  /** Resolves the link's token and checks what the call needs; anyone with the link may see it. */
  function withLinkedOrder<Body extends { token: string }, Answer>(
    needs: Needs,
    act: (order: Order, body: Body, caller: Caller) => Promise<Answer | NotDone | Response>,
  ) {
    return async ({ body, countTowardLimit, ...caller }: CallRequest<Body>) => {
      const order = await findLinkedOrder(db, body.token);
      if (!order) return refuse(404, 'This link isn’t valid');
      countTowardLimit();
      const answer =
        (await refuseUnlessMet(context, needs, order, caller.cookies)) ??
        (await act(order, body, caller));
      return isNotDone(answer) ? refuseOutcome(answer) : answer;
    };
  }

  /**
   * Changes the order as the page showed it. A full budget keeps no customer with real money out.
   */
  function changeOrder<Body extends { token: string; version?: number }>(
    needs: Needs,
    act: (order: Order, body: Body) => Promise<Outcome>,
    { addsRows = true } = {},
  ) {
    return withLinkedOrder(needs, async (order, body: Body, { storage }) => {
      const full =
        addsRows && !paysRealMoney(order.subscription)
          ? await storage.refusal('orders')
          : undefined;
      if (full) return full;
      const { version = order.version } = body;
      const outcome =
        version === order.version
          ? await whileClaimed(
              db,
              order,
              () => CHANGED,
              (claimed) => act(claimed, body),
            )
          : CHANGED;
      if (outcome === 'unavailable') return outcome;
      if (outcome === 'done' && addsRows) await storage.count(db, 'orders', body);
      const now = await accountJson(context, await getOrder(db, order), true);
      return outcome === 'done' ? now : refuseOutcome(outcome, now);
    });
  }

  return { withLinkedOrder, changeOrder };
}

export function accountCalls(context: Site): Call[] {
  const { db } = context;
  const { withLinkedOrder, changeOrder } = linkedOrders(context);
  return [
    call(
      GET_ACCOUNT,
      VIEWING,
      withLinkedOrder('link', async (order, _body, { cookies }) =>
        accountJson(context, order, await hasAccess(db, order.id, cookies)),
      ),
    ),
    call(
      OPEN_ACCESS_LINK,
      VIEWING,
      withLinkedOrder('link', async (order, { access }, { cookies }) => {
        const isAdmitted = await redeemAccessLink(db, order.id, access, cookies);
        return isAdmitted ? accountJson(context, order, true) : USED_LINK;
      }),
    ),
    call(
      PREVIEW_CHANGE,
      VIEWING,
      withLinkedOrder('access', (order, change) => previewChange(context, order, change)),
    ),
    call(
      CHANGE_PLAN,
      CHANGING,
      changeOrder('access', (order, { at, next, ...change }) =>
        changePlan(context, order, change, { at: Date.parse(at), next }),
      ),
    ),
    call(
      CANCEL_PLAN,
      CHANGING,
      changeOrder('running plan', (order) => cancel(context, order)),
    ),
    call(
      RESUME_PLAN,
      CHANGING,
      changeOrder('running plan', (order) => resume(context, order)),
    ),
    call(
      START_CARD,
      VIEWING,
      withLinkedOrder('card', (order) => context.gateway.subscriptions.startCard(order)),
    ),
    call(
      REPLACE_CARD,
      CHANGING,
      changeOrder('card', (order, { clientSecret }) => replaceCard(context, order, clientSecret)),
    ),
    call(
      SET_ADDRESS,
      VIEWING,
      changeOrder(
        'access',
        async ({ id }, { address }) => {
          const billingAddress = address || null;
          await db.updateTable('orders').set({ billingAddress }).where('id', '=', id).execute();
          return 'done';
        },
        { addsRows: false },
      ),
    ),
  ];
}

async function refuseUnlessMet(
  context: Site,
  needs: Needs,
  order: Order,
  cookies: Cookies,
): Promise<{ refused: string } | undefined> {
  if (needs === 'link') return undefined;
  if (!(await hasAccess(context.db, order.id, cookies))) return READ_ONLY_LINK;
  if (needs === 'access') return undefined;
  if (!isRunning(order.status)) return { refused: 'This plan isn’t running any more.' };
  if (needs === 'card' && order.subscription.collection === 'invoice')
    return { refused: 'This plan is paid by invoice, and has no card.' };
  return order.subscription.provider === context.gateway.provider
    ? undefined
    : { refused: 'This can’t be done here. Please call us.' };
}

async function accountJson(
  { db, gateway, addOnPrices }: Site,
  order: Order,
  mayChange: boolean,
): Promise<AccountJson> {
  const isHere = order.subscription.provider === gateway.provider;
  const runsHere = isRunning(order.status) && isHere;
  const change = isRunning(order.status) ? await findPriceChange(db, order.id) : undefined;
  const answer = runsHere
    ? await gateway.subscriptions.getSubscription(order, pricesToCome(change))
    : null;
  const subscription = isNotDone(answer) ? null : answer;
  const next = subscription?.next;
  const isPaidThere = isHere && order.invoices.some((invoice) => isPayable(order, invoice));
  const pages = isPaidThere ? await gateway.invoicePages?.(order) : undefined;
  return {
    order: orderJson(asToday(order, change)),
    running: subscription && {
      periodEnd: isoTime(subscription.periodEnd),
      next: next ? { total: toDollars(next.total), tax: toDollars(next.tax) } : null,
      card: subscription.card,
    },
    priceChange: change && isComing(change) ? priceChangeJson(order, change) : null,
    billingUnavailable: answer === 'unavailable' || pages === 'unavailable',
    mayChange,
    backupPrice: toDollars(addOnPrices().cloudBackup.pricePerUser),
    billingAddress: order.billingAddress,
    payments: order.invoices.map((invoice) => ({
      ...paymentJson(order, invoice),
      payUrl: isPayable(order, invoice) && pages instanceof Map ? pages.get(invoice.id) : null,
    })),
  };
}

/** Without a discount, which only the provider computes at prices to come. */
function priceChangeJson(order: Order, change: PriceChange): AccountJson['priceChange'] {
  const { before, after } = announcedLines(order, change);
  const full = (lines: PriceLine[]) => inDollars(lines.filter(({ amount }) => amount >= 0));
  return { at: isoTime(change.effectiveAt), before: full(before), after: full(after) };
}

/** On a page of the provider: the customer pays it, or confirms a payment with the bank. */
function isPayable({ status }: Order, invoice: Invoice): boolean {
  if (invoice.dueDay === null) return needsConfirmation(invoice) && !isOver(status);
  return invoice.status === 'open' && isOwed(invoiceStateOf(invoice));
}

function paymentJson({ status: orderStatus, charges }: Order, invoice: Invoice) {
  const { id, number, status, dueDay, poNumber, paidOutOfBand } = invoice;
  const invoiceState = dueDay === null ? null : invoiceStateOf(invoice);
  const isPaid = status === 'paid' && !isOwed(invoiceState);
  // No card is charged after the end; what was sent to be paid by bank may be due later.
  const isDropped = dueDay === null && isOver(orderStatus);
  const isOpen = (status === 'open' && !isDropped) || isOwed(invoiceState);
  const open = needsConfirmation(invoice) ? ('to_confirm' as const) : ('open' as const);
  const card = cardCharge(charges, id);
  const isAll = invoice.amountPaidCents === invoice.amountCents;
  return {
    id,
    number,
    at: isoTime(invoice.createdAt),
    periodStart: isoTimeOrNull(invoice.periodStart),
    periodEnd: isoTimeOrNull(invoice.periodEnd),
    amount: toDollars(invoice.amountCents),
    remaining: toDollars(invoice.amountRemainingCents),
    paid: isAll ? null : toDollars(invoice.amountPaidCents),
    tax: toDollars(invoice.taxCents ?? cents(0)),
    state: isPaid ? ('paid' as const) : isOpen ? open : ('void' as const),
    lines: linesInDollars({ priceLines: invoice.lines }),
    brand: card?.cardBrand ?? null,
    last4: card?.cardLast4 ?? null,
    invoiceState,
    dueDay,
    poNumber,
    reference: paidOutOfBand ? invoice.reference : null,
  };
}

async function cancel(context: OrderContext, order: Order): Promise<Outcome> {
  if (order.subscription.cancelAt !== null) return 'done';
  const outcome = await endOrder(context, order, 'period-end', { is: 'customer' });
  // What the bank is deciding on, or has paid just now, cannot be taken back.
  return typeof outcome === 'object' && owesByCard(order) ? UNDECIDED : outcome;
}

/** Cancels a scheduled end. */
async function resume(context: OrderContext, order: Order): Promise<Outcome> {
  if (order.subscription.cancelAt === null) return 'done';
  const begun = { act: { kind: 'end-withdrawn' as const }, once: null };
  const resumed = await actAtProvider(context.db, order.id, begun, { is: 'customer' }, () =>
    context.gateway.subscriptions.resume(order),
  );
  if (isNotDone(resumed)) return resumed;
  await followNow(context, order, resumed);
  return 'done';
}

/** Charges the card entered with this secret from now on. A repeated call adds nothing. */
async function replaceCard(
  context: OrderContext,
  order: Order,
  clientSecret: string,
): Promise<Outcome> {
  const { db, gateway, notify } = context;
  const outcome = await gateway.subscriptions.finishCard(order, clientSecret);
  if (outcome !== 'done') return outcome;
  const subscription = await gateway.subscriptions.getSubscription(order);
  const card = isNotDone(subscription) ? null : subscription.card;
  const event = {
    kind: 'card-replaced' as const,
    card: card && `${card.brand} ending in ${card.last4}`,
  };
  const once = `card ${hash('sha256', clientSecret)}`;
  await db
    .transaction()
    .execute((trx) => recordEvent({ db: trx, notify }, order.id, { event, once }, byCustomer()));
  await followNow(context, order, byCustomer('changed'));
  return 'done';
}
