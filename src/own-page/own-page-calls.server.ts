/**
 * Calls of the customer's own page. A change is made at the provider first, and the order then
 * follows the provider's state: if the process dies in between, reconciliation updates the order
 * later.
 */

import type { Order } from '../billing/billed-order.server.ts';
import { byCustomer, CUSTOMER, staffActor } from '../billing/cause.server.ts';
import { whileClaimed } from '../billing/claim-order.server.ts';
import { endOrder, keepPlan } from '../billing/end-order.server.ts';
import { isBillable, ORDER_STATUSES, owesByCard } from '../billing/order-status.ts';
import { alertStaff, getOrder } from '../billing/order-store.server.ts';
import { isNotDone, type NotDone, type Outcome, refuseOutcome } from '../billing/outcome.server.ts';
import { isOrderAt } from '../billing/provider-mode.server.ts';
import { type OrderContext, refreshOrder } from '../billing/refresh-order.server.ts';
import { payingWords } from '../billing/subscription.ts';
import { ORDER_CHANGE_CALLS, OWN_PAGE_CALLS } from '../limits.ts';
import { findLinkedOrder, hasAccess, redeemAccessLink } from '../orders/order-access.server.ts';
import { orderRequests } from '../orders/order-calls.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call } from '../platform/http/call.server.ts';
import type { Cookies } from '../platform/http/cookies.server.ts';
import type { Site } from '../site.server.ts';
import { CHANGED, changePlan, previewChange } from './change-plan.server.ts';
import {
  CANCEL_PLAN,
  CHANGE_ORDER,
  CHANGE_PLAN,
  GET_OWN_PAGE,
  GET_OWN_PAGE_FOR_STAFF,
  OPEN_ACCESS_LINK,
  PREVIEW_CHANGE,
  PREVIEW_ORDER_CHANGE,
  REPLACE_CARD,
  RESUME_PLAN,
  START_CARD,
} from './own-page-api.ts';
import { ownPageJson } from './own-page-json.server.ts';

const VIEWING = { access: 'anyone', limit: OWN_PAGE_CALLS } as const;
const CHANGING = { access: 'anyone', limit: ORDER_CHANGE_CALLS } as const;

const UNDECIDED = {
  refused: 'Your bank is deciding on a payment right now. Please try again in a minute.',
};
export const USED_LINK = {
  refused: 'This link has been used, or is older than 30 minutes. Please ask for a new one.',
};
const READ_ONLY_LINK = {
  refused:
    'This link only shows your order. To change it, please ask for a link by email. It works once and expires in 30 minutes.',
};

export const noMail = ({ company }: Site) => ({
  refused: `We can’t send email from here. Please call ${company.phone.display}.`,
});

/** 'access': may change the order. 'provider': the active one has it. 'card': paid by card. */
type Needs = 'link' | 'access' | 'provider' | 'running plan' | 'card';

type Caller = Pick<CallRequest<unknown>, 'cookies'>;

/** What the calls share: the order that a link leads to, and how a change of it is answered. */
export function linkedOrders(context: Site) {
  const { db } = context;

  /** Resolves the link's token and checks what the call needs; anyone with the link may see it. */
  function withLinkedOrder<Body extends { token: string }, Answer>(
    needs: Needs,
    act: (order: Order, body: Body, caller: Caller) => Promise<Answer | NotDone | Response>,
  ) {
    return async ({ body, ...caller }: CallRequest<Body>) => {
      const order = await findLinkedOrder(db, body.token);
      if (!order) return refuse(404, 'This link isn’t valid');
      const answer =
        (await refuseUnlessMet(context, needs, order, caller.cookies)) ??
        (await act(order, body, caller));
      return isNotDone(answer) ? refuseOutcome(answer) : answer;
    };
  }

  function changeOrder<Body extends { token: string; version?: number }>(
    needs: Needs,
    act: (order: Order, body: Body) => Promise<Outcome>,
  ) {
    return withLinkedOrder(needs, async (order, body: Body) => {
      const { id, version } = order;
      const outcome = await whileClaimed(
        db,
        { id, version: body.version ?? version },
        (claimed) => act(claimed, body),
        () => CHANGED,
      );
      if (outcome === 'unavailable') return outcome;
      const now = await ownPageJson(context, await getOrder(db, order), true);
      return outcome === 'done' ? now : refuseOutcome(outcome, now);
    });
  }

  return { withLinkedOrder, changeOrder };
}

export function ownPageCalls(context: Site): Call[] {
  const { db } = context;
  const { withLinkedOrder, changeOrder } = linkedOrders(context);
  const { withOrder, staffAction } = orderRequests(context);
  return [
    call(
      GET_OWN_PAGE,
      VIEWING,
      withLinkedOrder('link', async (order, _body, { cookies }) =>
        ownPageJson(context, order, await hasAccess(db, order.id, cookies)),
      ),
    ),
    call(GET_OWN_PAGE_FOR_STAFF, 'staff', (request) =>
      withOrder(request, (order) => ownPageJson(context, order, false)),
    ),
    call(
      OPEN_ACCESS_LINK,
      VIEWING,
      withLinkedOrder('link', async (order, { access }, { cookies }) => {
        const isAdmitted = await redeemAccessLink(db, order.id, access, cookies);
        return isAdmitted ? ownPageJson(context, order, true) : USED_LINK;
      }),
    ),
    call(
      PREVIEW_CHANGE,
      VIEWING,
      withLinkedOrder('provider', (order, { token: _, ...change }) =>
        previewChange(context, order, { ...change, actor: CUSTOMER }),
      ),
    ),
    call(
      CHANGE_PLAN,
      CHANGING,
      changeOrder('provider', (order, { at, next, token: _, version: _was, ...change }) =>
        changePlan(context, order, { ...change, actor: CUSTOMER }, { at: Date.parse(at), next }),
      ),
    ),
    call(PREVIEW_ORDER_CHANGE, 'staff', (request) =>
      withOrder(request, async (order) => {
        const change = { ...request.body, actor: staffActor(request) };
        const preview = await previewChange(context, order, change);
        return isNotDone(preview) ? refuseOutcome(preview) : preview;
      }),
    ),
    call(CHANGE_ORDER, 'staff', (request) =>
      staffAction(request, ORDER_STATUSES, (order) => {
        const { at, next, version: _, ...change } = request.body;
        const shown = { at: Date.parse(at), next };
        return changePlan(context, order, { ...change, actor: staffActor(request) }, shown);
      }),
    ),
    call(
      CANCEL_PLAN,
      CHANGING,
      changeOrder('running plan', (order, { until, reason = null, words }) =>
        cancel(context, order, { until, why: { endReason: reason, endWords: words } }),
      ),
    ),
    call(
      RESUME_PLAN,
      CHANGING,
      changeOrder('running plan', (order) => keepPlan(context, order, CUSTOMER)),
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
  if (needs !== 'provider' && !isBillable(order))
    return { refused: 'This plan isn’t running anymore.' };
  if (needs === 'card' && !payingWords(order.subscription).hasCard)
    return { refused: 'This plan is paid by invoice, and has no card.' };
  return isOrderAt(context.gateway, order)
    ? undefined
    : { refused: 'This can’t be done here. Please call us.' };
}

interface Ending {
  until: string | undefined;
  why: Pick<Order, 'endReason' | 'endWords'>;
}

async function cancel(context: Site, order: Order, { until, why }: Ending): Promise<Outcome> {
  if (order.subscription.cancelAt !== null) return 'done';
  if (until !== undefined && !owesByCard(order)) {
    const running = await context.gateway.subscriptions.getSubscription(order);
    if (running === 'unavailable') return running;
    // The plan renewed since, and the order does not have the new month before it is billed.
    if ('periodEnd' in running && running.periodEnd !== Date.parse(until)) return CHANGED;
  }
  const own = context.db.updateTable('orders').where('id', '=', order.id);
  // Before the end, whose message to staff says why.
  await own.set(why).execute();
  const outcome = await endOrder(context, order, 'period-end', CUSTOMER);
  if (outcome === 'done') return outcome;
  const now = await getOrder(context.db, order);
  const isAtBank = now.invoices.some(({ attempt }) => attempt === 'processing');
  // What the bank is deciding on, or has paid just now, cannot be taken back.
  const isUndecided = owesByCard(order) && (isAtBank || !owesByCard(now));
  const isOutdated = outcome !== 'unavailable' && 'isOutdated' in outcome;
  if (outcome === 'unavailable' || isUndecided || isOutdated) {
    const { endReason, endWords } = order;
    await own.set({ endReason, endWords }).execute();
    if (outcome === 'unavailable') return outcome;
    return isOutdated ? CHANGED : UNDECIDED;
  }
  const [provider, reason] = [context.gateway.name, outcome.refused];
  await alertStaff(context, order.id, { kind: 'end-wanted', provider, reason });
  return {
    refused: `We couldn’t end your plan from here. Your request is recorded, and our team knows. Please call us at ${context.company.phone.display}.`,
  };
}

/** Charges the card entered with this secret from now on. A repeated call adds nothing. */
async function replaceCard(
  context: OrderContext,
  order: Order,
  clientSecret: string,
): Promise<Outcome> {
  const outcome = await context.gateway.subscriptions.finishCard(order, clientSecret);
  // The new card stays when the overdue amount could not be charged to it.
  await refreshOrder(context, order, byCustomer('changed'));
  return outcome;
}
