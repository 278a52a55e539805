/** What customers see and do on their own page. Most calls ask the provider, so they have allowances of their own. */
import type { Kysely } from 'kysely';
import type { NotDone, StaffOutcome } from '../orders/gateway.server.ts';
import { providerUnavailable } from '../orders/gateway.server.ts';
import { isErased } from '../orders/order.ts';
import { orderJson } from '../orders/order-calls.server.ts';
import {
  type OrderPageLinks,
  readOrNewKey,
  useAccessLink,
} from '../orders/order-page-link.server.ts';
import { hasAccess, type Order, orderNow } from '../orders/order-store.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { Answered, refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call } from '../platform/http/call.server.ts';
import { type Cookies, tokenHash } from '../platform/http/cookies.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { cents } from '../platform/money.ts';
import {
  CANCEL_PLAN,
  CHANGE_PLAN,
  GET_ACCOUNT,
  GET_LINKED_ORDER,
  OPEN_ACCESS_LINK,
  PREVIEW_CHANGE,
  REPLACE_CARD,
  RESUME_PLAN,
  SET_ADDRESS,
  START_CARD,
} from './account-api.ts';
import { type ChangeDeps, changePlan, previewChange } from './change-plan.server.ts';
import { cancelAtPeriodEnd, replaceCard, resume, startCard } from './manage-plan.server.ts';
import { orderAccount, previewJson } from './order-account.server.ts';

const LIMIT: Limit = { name: 'order-account', rules: [{ calls: 60, seconds: 60 }] };
/** Of these emails go out, to the customer and to staff. */
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
const LINK_ONLY_SHOWS = {
  refused:
    'This link only shows your order. To change it, please ask for a link by email: it works once, for 30 minutes.',
};

interface Deps extends ChangeDeps {
  db: Kysely<Tables>;
  links: OrderPageLinks;
  cookies: Cookies;
}

type LinkRequest<Body> = Pick<CallRequest<Body>, 'body' | 'accept' | 'headers'>;
type Act<Body, Done> = (order: Order, body: Body, headers: Headers) => Promise<Done | NotDone>;

export function accountCalls(deps: Deps): Call[] {
  const { db, links, cookies } = deps;

  /** Whether this browser has placed the order, or has opened a link that admits it. */
  const mayChange = ({ id }: Order, headers: Headers) =>
    hasAccess(db, id, tokenHash(cookies.read(headers.get('cookie'), 'order_key')));

  /** Acts on the order of a link: everybody who has the link may see it. */
  function forLink<Body extends { token: string }, Done>(act: Act<Body, Done>) {
    return async ({ body, accept, headers }: LinkRequest<Body>): Promise<Done | Response> => {
      const order = await links.find(body.token);
      // Behind an erased order would be the provider's data, with all that was erased here.
      if (!order || isErased(order)) return refuse(404, 'This link isn’t valid');
      accept();
      const done = await act(order, body, headers);
      if (done === 'unavailable') return providerUnavailable();
      return isRefused(done) ? refuse(409, done.refused) : done;
    };
  }

  /** The same for what changes something: the link alone is not enough. */
  function forOwner<Body extends { token: string }, Done>(act: Act<Body, Done>) {
    return forLink<Body, Done>(async (order, body, headers) =>
      (await mayChange(order, headers)) ? act(order, body, headers) : LINK_ONLY_SHOWS,
    );
  }

  /** Answers with the page as it stands after the change. */
  function forChange<Body extends { token: string }>(
    act: (order: Order, body: Body) => Promise<StaffOutcome>,
  ) {
    return forOwner(async (order, body: Body) => {
      const outcome = await act(order, body);
      return outcome === 'done' ? orderAccount(deps, await orderNow(db, order), true) : outcome;
    });
  }

  return [
    call(GET_LINKED_ORDER, {
      access: 'anyone',
      handle: forLink(async (order) => orderJson(order)),
    }),
    call(GET_ACCOUNT, {
      access: 'anyone',
      limit: LIMIT,
      handle: forLink(async (order, _body, headers) =>
        orderAccount(deps, order, await mayChange(order, headers)),
      ),
    }),
    call(OPEN_ACCESS_LINK, {
      access: 'anyone',
      limit: LIMIT,
      handle: forLink(async (order, { access }: { token: string; access: string }, headers) => {
        const key = readOrNewKey(cookies, headers);
        const isAdmitted = await useAccessLink(db, order.id, access, key.hash);
        return isAdmitted
          ? new Answered(await orderAccount(deps, order, true), [key.setCookie])
          : USED_LINK;
      }),
    }),
    call(PREVIEW_CHANGE, {
      access: 'anyone',
      limit: LIMIT,
      handle: forOwner(async (order, { users, backup, from }) => {
        const shown = await previewChange(deps, order, { seats: { users, backup }, from });
        return shown === 'unavailable' || 'refused' in shown ? shown : previewJson(shown);
      }),
    }),
    call(CHANGE_PLAN, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      handle: forChange((order, { users, backup, from, at, next }) =>
        changePlan(deps, order, {
          seats: { users, backup },
          from,
          shown: { at: Date.parse(at), next: cents(Math.round(next * 100)) },
        }),
      ),
    }),
    call(CANCEL_PLAN, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      handle: forChange((order) => cancelAtPeriodEnd(deps, order)),
    }),
    call(RESUME_PLAN, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      handle: forChange((order) => resume(deps, order)),
    }),
    call(START_CARD, {
      access: 'anyone',
      limit: LIMIT,
      handle: forOwner((order) => startCard(deps, order)),
    }),
    call(REPLACE_CARD, {
      access: 'anyone',
      limit: CHANGE_LIMIT,
      handle: forChange((order, { clientSecret }) => replaceCard(deps, order, clientSecret)),
    }),
    call(SET_ADDRESS, {
      access: 'anyone',
      limit: LIMIT,
      handle: forChange(async ({ id }, { address }) => {
        const billingAddress = address || null;
        await db.updateTable('orders').set({ billingAddress }).where('id', '=', id).execute();
        return 'done';
      }),
    }),
  ];
}

function isRefused(done: unknown): done is { refused: string } {
  return typeof done === 'object' && done !== null && 'refused' in done;
}
