/** What customers see and do on their own page. Most calls ask the provider, so they have allowances of their own. */
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import type { Limit } from '../../platform/http/rate-limit.server.ts';
import { toDollars } from '../../platform/money.ts';
import { tokenRequest } from '../order-shapes.ts';
import { type Order, orderNow } from '../order-store.server.ts';
import { providerUnavailable } from '../provider-unavailable.server.ts';
import type { StaffOutcome } from '../subscription.server.ts';
import {
  CANCEL_PLAN,
  CHANGE_PLAN,
  GET_ACCOUNT,
  KEEP_PLAN,
  PREVIEW_CHANGE,
  SET_ADDRESS,
  START_CARD,
  USE_CARD,
} from './account-contracts.ts';
import {
  type AccountJson,
  account,
  addressRequest,
  cardEntry,
  cardRequest,
  changeRequest,
  preview,
  previewRequest,
} from './account-shapes.ts';
import { type ChangeDeps, changePlan, previewChange, type Refused } from './change-plan.server.ts';
import { keepPlan, letPlanEnd, startCard, useCard } from './keep-plan.server.ts';
import { linkedOrder, unknownLink } from './linked-order.server.ts';
import { moment, orderAccount } from './order-account.server.ts';
import type { OrderPageLinks } from './order-page-link.server.ts';

const LIMIT: Limit = { name: 'order-account', rules: [{ calls: 60, seconds: 60 }] };
/** Of these letters go out, to the customer and to staff. */
const CHANGE_LIMIT: Limit = {
  name: 'order-changes',
  rules: [
    { calls: 10, seconds: 60 },
    { calls: 40, seconds: 60 * 60 },
  ],
};

interface Deps extends ChangeDeps {
  links: OrderPageLinks;
}

export function accountCalls(deps: Deps): Call[] {
  const { db } = deps;

  /** Does it with the order of this link, and counts it. */
  async function withOrder<Done>(
    { token, accept }: { token: string; accept: () => void },
    act: (order: Order) => Promise<Done | Refused>,
  ): Promise<Done | Response> {
    const order = await linkedOrder(deps, token);
    if (!order) return unknownLink();
    accept();
    const done = await act(order);
    return isRefused(done) ? refusal(done) : done;
  }

  /** As it stands after what was done. */
  const after = (asked: { token: string; accept: () => void }, act: Act) =>
    withOrder<AccountJson>(asked, async (order) => {
      const outcome = await act(order);
      return outcome === 'done' ? orderAccount(deps, await orderNow(db, order)) : outcome;
    });

  return [
    call(GET_ACCOUNT, {
      access: 'anyone',
      limit: LIMIT,
      body: tokenRequest,
      answer: account,
      handle: ({ body: { token }, accept }) => after({ token, accept }, async () => 'done'),
    }),
    call(PREVIEW_CHANGE, {
      access: 'anyone',
      limit: LIMIT,
      body: previewRequest,
      answer: preview,
      handle: ({ body: { token, users, backup, from }, accept }) =>
        withOrder({ token, accept }, async (order) => {
          const shown = await previewChange(deps, order, { seats: { users, backup }, from });
          if (isRefused(shown)) return shown;
          const { at, monthly, difference, next } = shown;
          return {
            at: moment(at),
            monthly: toDollars(monthly),
            difference: toDollars(difference),
            next: {
              at: moment(next.at),
              total: toDollars(next.total),
              tax: toDollars(next.tax),
            },
          };
        }),
    }),
    call(CHANGE_PLAN, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      body: changeRequest,
      answer: account,
      handle: ({ body: { token, users, backup, from, at, key }, accept }) =>
        after({ token, accept }, (order) =>
          changePlan(deps, order, {
            seats: { users, backup },
            from,
            at: Date.parse(at),
            key,
          }),
        ),
    }),
    call(CANCEL_PLAN, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      body: tokenRequest,
      answer: account,
      handle: ({ body: { token }, accept }) =>
        after({ token, accept }, (order) => letPlanEnd(deps, order)),
    }),
    call(KEEP_PLAN, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      body: tokenRequest,
      answer: account,
      handle: ({ body: { token }, accept }) =>
        after({ token, accept }, (order) => keepPlan(deps, order)),
    }),
    call(START_CARD, {
      access: 'anyone',
      limit: LIMIT,
      body: tokenRequest,
      answer: cardEntry,
      handle: ({ body: { token }, accept }) =>
        withOrder({ token, accept }, (order) => startCard(deps, order)),
    }),
    call(USE_CARD, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      body: cardRequest,
      answer: account,
      handle: ({ body: { token, clientSecret }, accept }) =>
        after({ token, accept }, (order) => useCard(deps, order, clientSecret)),
    }),
    call(SET_ADDRESS, {
      access: 'anyone',
      limit: LIMIT,
      body: addressRequest,
      answer: account,
      handle: ({ body: { token, address }, accept }) =>
        after({ token, accept }, async ({ id }) => {
          await db
            .updateTable('orders')
            .set({ billingAddress: address || null })
            .where('id', '=', id)
            .execute();
          return 'done';
        }),
    }),
  ];
}

type Act = (order: Order) => Promise<StaffOutcome>;

function isRefused(done: unknown): done is Refused {
  return done === 'away' || (typeof done === 'object' && done !== null && 'refused' in done);
}

function refusal(outcome: Refused): Response {
  return outcome === 'away' ? providerUnavailable() : refuse(409, outcome.refused);
}
