/** What customers see and do on their own page. Most calls ask the provider, so they have allowances of their own. */

import {
  type AccessRequest,
  accessRequest,
  account,
  addressRequest,
  cardEntry,
  cardRequest,
  changeRequest,
  type PreviewRequest,
  preview,
  previewRequest,
} from '../orders/account-shapes.ts';
import { tokenRequest } from '../orders/order-api.ts';
import { readOrNewKey, useAccessLink } from '../orders/order-page-link.server.ts';
import { type Order, orderNow } from '../orders/order-store.server.ts';
import type { StaffOutcome } from '../orders/subscription.server.ts';
import { Answered } from '../platform/http/answer.server.ts';
import { type Call, oldCall } from '../platform/http/call.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { cents } from '../platform/money.ts';
import {
  CANCEL_PLAN,
  CHANGE_PLAN,
  GET_ACCOUNT,
  KEEP_PLAN,
  OPEN_ACCESS_LINK,
  PREVIEW_CHANGE,
  SET_ADDRESS,
  START_CARD,
  USE_CARD,
} from './account-contracts.ts';
import { type ChangeDeps, changePlan, previewChange } from './change-plan.server.ts';
import { keepPlan, letPlanEnd, startCard, useCard } from './keep-plan.server.ts';
import { type LinkDeps, mayChange, withLinkedOrder, withOwnOrder } from './linked-order.server.ts';
import { orderAccount, previewJson } from './order-account.server.ts';

const LIMIT: Limit = { name: 'order-account', rules: [{ calls: 60, seconds: 60 }] };
/** Of these letters go out, to the customer and to staff. */
const CHANGE_LIMIT: Limit = {
  name: 'order-changes',
  rules: [
    { calls: 10, seconds: 60 },
    { calls: 40, seconds: 60 * 60 },
  ],
};

const USED_LINK = {
  refused: 'This link has been used, or is older than 30 minutes. Please ask for a new one.',
};

interface Deps extends ChangeDeps, LinkDeps {}

export function accountCalls(deps: Deps): Call[] {
  const { db } = deps;

  /** As it stands after what was done. */
  const after = <Body extends { token: string }>(
    act: (order: Order, body: Body) => Promise<StaffOutcome>,
  ) =>
    withOwnOrder(deps, async (order, body: Body) => {
      const outcome = await act(order, body);
      return outcome === 'done' ? orderAccount(deps, await orderNow(db, order), true) : outcome;
    });

  return [
    oldCall(GET_ACCOUNT, {
      access: 'anyone',
      limit: LIMIT,
      body: tokenRequest,
      answer: account,
      handle: withLinkedOrder(deps, async (order, _body, headers) =>
        orderAccount(deps, order, await mayChange(deps, order, headers)),
      ),
    }),
    oldCall(OPEN_ACCESS_LINK, {
      access: 'anyone',
      limit: LIMIT,
      body: accessRequest,
      answer: account,
      handle: withLinkedOrder(deps, async (order, { access }: AccessRequest, headers) => {
        const key = readOrNewKey(deps.cookies, headers);
        const isAdmitted = await useAccessLink(db, order.id, access, key.hash);
        return isAdmitted
          ? new Answered(await orderAccount(deps, order, true), [key.setCookie])
          : USED_LINK;
      }),
    }),
    oldCall(PREVIEW_CHANGE, {
      access: 'anyone',
      limit: LIMIT,
      body: previewRequest,
      answer: preview,
      handle: withOwnOrder(deps, async (order, { users, backup, from }: PreviewRequest) => {
        const shown = await previewChange(deps, order, { seats: { users, backup }, from });
        return shown === 'unavailable' || 'refused' in shown ? shown : previewJson(shown);
      }),
    }),
    oldCall(CHANGE_PLAN, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      body: changeRequest,
      answer: account,
      handle: after((order, { users, backup, from, at, next }) =>
        changePlan(deps, order, {
          seats: { users, backup },
          from,
          shown: { at: Date.parse(at), next: cents(Math.round(next * 100)) },
        }),
      ),
    }),
    oldCall(CANCEL_PLAN, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      body: tokenRequest,
      answer: account,
      handle: after((order) => letPlanEnd(deps, order)),
    }),
    oldCall(KEEP_PLAN, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      body: tokenRequest,
      answer: account,
      handle: after((order) => keepPlan(deps, order)),
    }),
    oldCall(START_CARD, {
      access: 'anyone',
      limit: LIMIT,
      body: tokenRequest,
      answer: cardEntry,
      handle: withOwnOrder(deps, (order) => startCard(deps, order)),
    }),
    oldCall(USE_CARD, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      body: cardRequest,
      answer: account,
      handle: after((order, { clientSecret }) => useCard(deps, order, clientSecret)),
    }),
    oldCall(SET_ADDRESS, {
      access: 'anyone',
      limit: LIMIT,
      body: addressRequest,
      answer: account,
      handle: after(async ({ id }, { address }) => {
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
