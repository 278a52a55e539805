/** What customers see and do on their own page. Most calls ask the provider, so they have allowances of their own. */
import { linesInDollars } from '../catalogue/pricing.ts';
import {
  type ChangePreview,
  isNotDone,
  type NotDone,
  refuseOutcome,
  type StaffOutcome,
} from '../orders/gateway.server.ts';
import { isErased, isRunning } from '../orders/order.ts';
import {
  findLinkedOrder,
  hasAccess,
  readOrNewKey,
  useAccessLink,
} from '../orders/order-access.server.ts';
import { orderJson } from '../orders/order-calls.server.ts';
import { type Order, orderNow, readInvoices } from '../orders/order-store.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { Answered, refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call } from '../platform/http/call.server.ts';
import type { Cookies } from '../platform/http/cookies.server.ts';
import { type Cents, cents, toDollars } from '../platform/money.ts';
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
import {
  type ChangeDeps,
  cancelAtPeriodEnd,
  changePlan,
  previewChange,
  refuseNotRunning,
  replaceCard,
  resume,
} from './change-plan.server.ts';

const LOOKING = {
  access: 'anyone',
  limit: { name: 'order-account', rules: [{ calls: 60, seconds: 60 }] },
} as const;
/** Of these emails go out, to the customer and to staff. */
const CHANGING = {
  access: 'anyone',
  limit: {
    name: 'order-changes',
    rules: [
      { calls: 10, seconds: 60 },
      { calls: 40, seconds: 60 * 60 },
    ],
  },
} as const;

const USED_LINK = {
  refused: 'This link has been used, or is older than 30 minutes. Please ask for a new one.',
};
const LINK_ONLY_SHOWS = {
  refused:
    'This link only shows your order. To change it, please ask for a link by email: it works once, for 30 minutes.',
};

interface Deps extends ChangeDeps {
  cookies: Cookies;
}

type LinkRequest<Body> = Pick<CallRequest<Body>, 'body' | 'accept' | 'headers'>;
type Act<Body, Done> = (order: Order, body: Body, headers: Headers) => Promise<Done | NotDone>;

export function accountCalls(deps: Deps): Call[] {
  const { db, cookies } = deps;

  /** Acts on the order of a link: everybody who has the link may see it. */
  function forLink<Body extends { token: string }, Done>(act: Act<Body, Done>) {
    return async ({ body, accept, headers }: LinkRequest<Body>) => {
      const order = await findLinkedOrder(db, body.token);
      // Behind an erased order would be the provider's data, with all that was erased here.
      if (!order || isErased(order)) return refuse(404, 'This link isn’t valid');
      accept();
      const done = await act(order, body, headers);
      return isNotDone(done) ? refuseOutcome(done) : done;
    };
  }

  /** The same for what changes something: the link alone is not enough. */
  function forOwner<Body extends { token: string }, Done>(act: Act<Body, Done>) {
    return forLink<Body, Done>(async (order, body, headers) =>
      (await hasAccess(deps, order.id, headers)) ? act(order, body, headers) : LINK_ONLY_SHOWS,
    );
  }

  /** Answers with the page as it stands after the change. */
  function forChange<Body extends { token: string }>(
    act: (order: Order, body: Body) => Promise<StaffOutcome>,
  ) {
    return forOwner(async (order, body: Body) => {
      const outcome = await act(order, body);
      return outcome === 'done' ? accountJson(deps, await orderNow(db, order), true) : outcome;
    });
  }

  /** The same of what runs, with the provider that takes the payments. */
  function forRunning<Body extends { token: string }>(
    act: (order: Order, body: Body) => Promise<StaffOutcome>,
  ) {
    return forChange(
      async (order, body: Body) => refuseNotRunning(deps, order) ?? act(order, body),
    );
  }

  return [
    call(GET_ACCOUNT, {
      ...LOOKING,
      handle: forLink(async (order, _body, headers) =>
        accountJson(deps, order, await hasAccess(deps, order.id, headers)),
      ),
    }),
    call(OPEN_ACCESS_LINK, {
      ...LOOKING,
      handle: forLink(async (order, { access }: { token: string; access: string }, headers) => {
        const key = readOrNewKey(cookies, headers);
        const isAdmitted = await useAccessLink(db, order.id, access, key.hash);
        return isAdmitted
          ? new Answered(await accountJson(deps, order, true), [key.setCookie])
          : USED_LINK;
      }),
    }),
    call(PREVIEW_CHANGE, {
      ...LOOKING,
      handle: forOwner(async (order, wanted) => {
        const shown = await previewChange(deps, order, wanted);
        return isNotDone(shown) ? shown : previewJson(shown);
      }),
    }),
    call(CHANGE_PLAN, {
      ...CHANGING,
      handle: forChange((order, wanted) => {
        const next = cents(Math.round(wanted.next * 100));
        return changePlan(deps, order, wanted, { at: Date.parse(wanted.at), next });
      }),
    }),
    call(CANCEL_PLAN, {
      ...CHANGING,
      handle: forRunning((order) => cancelAtPeriodEnd(deps, order)),
    }),
    call(RESUME_PLAN, { ...CHANGING, handle: forRunning((order) => resume(deps, order)) }),
    call(START_CARD, {
      ...LOOKING,
      handle: forOwner(
        async (order) =>
          refuseNotRunning(deps, order) ?? deps.gateway.subscriptions.startCard(order),
      ),
    }),
    call(REPLACE_CARD, {
      ...CHANGING,
      handle: forRunning((order, { clientSecret }) => replaceCard(deps, order, clientSecret)),
    }),
    call(SET_ADDRESS, {
      ...LOOKING,
      handle: forChange(async ({ id }, { address }) => {
        const billingAddress = address || null;
        await db.updateTable('orders').set({ billingAddress }).where('id', '=', id).execute();
        return 'done';
      }),
    }),
  ];
}

/** The newest of a plan that runs for ten years. */
const MOST_PAYMENTS = 120;

/** What a customer's own page shows: the order, what runs, and what has been paid. */
async function accountJson(
  { db, gateway, addOnPrices }: Deps,
  order: Order,
  mayChange: boolean,
): Promise<AccountJson> {
  const runs = isRunning(order.status) && order.provider === gateway.provider;
  const running = runs ? await gateway.subscriptions.getSubscription(order) : null;
  const known = isNotDone(running) ? null : running;
  const payments = await readInvoices(db, order.id);
  return {
    order: orderJson(order),
    running: known && {
      periodEnd: moment(known.periodEnd),
      next: known.next && chargeJson(known.next),
      card: known.card,
    },
    away: running === 'unavailable',
    mayChange,
    backupPrice: toDollars(addOnPrices().cloudBackup.pricePerUser),
    billingAddress: order.billingAddress,
    payments: payments.slice(0, MOST_PAYMENTS).map(paymentJson),
  };
}

function paymentJson(bill: Row<'orderInvoices'>): NonNullable<AccountJson['payments']>[number] {
  return {
    id: bill.id,
    number: bill.number,
    at: moment(bill.createdAt),
    periodStart: bill.periodStart === null ? null : moment(bill.periodStart),
    periodEnd: bill.periodEnd === null ? null : moment(bill.periodEnd),
    amount: toDollars(cents(bill.amountCents)),
    tax: toDollars(cents(bill.taxCents ?? 0)),
    state: bill.paid ? 'paid' : bill.waived ? 'waived' : 'open',
    lines: linesInDollars({ priceLines: bill.lines }),
    brand: bill.cardBrand,
    last4: bill.cardLast4,
  };
}

function previewJson({ at, monthly, difference, next }: ChangePreview & { at: number }) {
  return {
    at: moment(at),
    monthly: toDollars(monthly),
    difference: toDollars(difference),
    next: { at: moment(next.at), ...chargeJson(next) },
  };
}

function chargeJson({ total, tax }: { total: Cents; tax: Cents }) {
  return { total: toDollars(total), tax: toDollars(tax) };
}

function moment(at: number): string {
  return new Date(at).toISOString();
}
