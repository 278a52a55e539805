/**
 * What customers see and do on their own page. The provider makes a change, and the order follows what the provider says, as
 * it follows a payment: whatever is killed in between is followed later.
 */
import { createHash } from 'node:crypto';
import {
  type AddOnPrices,
  linesInDollars,
  type PriceLine,
  priceLinesOf,
} from '../catalogue/pricing.ts';
import { endOrder } from '../orders/abandon-order.server.ts';
import { followNow, type OrderDeps } from '../orders/follow-payment.server.ts';
import {
  isNotDone,
  type NotDone,
  type Outcome,
  refuseOutcome,
  type SubscriptionChange,
} from '../orders/gateway.server.ts';
import { isErased, isRunning, type Seats, sameSeats, seatsOf } from '../orders/order.ts';
import {
  findLinkedOrder,
  hasAccess,
  readOrNewKey,
  useAccessLink,
} from '../orders/order-access.server.ts';
import { orderJson } from '../orders/order-calls.server.ts';
import { orderNotification } from '../orders/order-mails.server.ts';
import {
  addNote,
  noteOnce,
  type Order,
  orderNow,
  readInvoices,
} from '../orders/order-store.server.ts';
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

export interface ChangeDeps extends OrderDeps {
  addOnPrices(): AddOnPrices;
}

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
    act: (order: Order, body: Body) => Promise<Outcome>,
  ) {
    return forOwner(async (order, body: Body) => {
      const outcome = await act(order, body);
      return outcome === 'done' ? accountJson(deps, await orderNow(db, order), true) : outcome;
    });
  }

  /** The same of what runs, with the provider that takes the payments. */
  function forRunning<Body extends { token: string }>(
    act: (order: Order, body: Body) => Promise<Outcome>,
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
      handle: forOwner((order, wanted) => previewChange(deps, order, wanted)),
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
      handle: forRunning(async (order) =>
        order.endsAt === null ? endOrder(deps, order, 'period-end', 'the customer') : 'done',
      ),
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

function chargeJson({ total, tax }: { total: Cents; tax: Cents }) {
  return { total: toDollars(total), tax: toDollars(tax) };
}

function moment(at: number): string {
  return new Date(at).toISOString();
}

interface Wanted extends Seats {
  /** What the page showed. */
  from: Seats;
}

/** What was shown before the change is confirmed: the moment of the preview, and the next bill in all. */
interface Shown {
  at: number;
  next: Cents;
}

/** How long a price that was shown can be confirmed. */
const SHOWN_MS = 15 * 60 * 1000;
const NEW_PRICE = { refused: 'The price has changed. Please look at it again.' };
const BY_CUSTOMER = 'changed by the customer';

/** What the change would come to, from now on. */
async function previewChange(deps: ChangeDeps, order: Order, wanted: Wanted) {
  const refusal = changeRefusal(order, wanted);
  if (refusal) return refusal;
  const at = await deps.gateway.now();
  const lines = linesWith(order, wanted, deps.addOnPrices().cloudBackup);
  const preview = await deps.gateway.subscriptions.preview(order, { lines, at });
  if (isNotDone(preview)) return preview;
  const { monthly, difference, next } = preview;
  return {
    at: moment(at),
    monthly: toDollars(monthly),
    difference: toDollars(difference),
    next: { at: moment(next.at), ...chargeJson(next) },
  };
}

/**
 * Makes the change. A raise counts from the moment that was shown. A change that takes something off counts from now:
 * a customer could raise and lower again as of the same moment, and would have paid for nothing in between.
 */
export async function changePlan(
  deps: ChangeDeps,
  order: Order,
  wanted: Wanted,
  shown: Shown,
): Promise<Outcome> {
  const { gateway, addOnPrices } = deps;
  const current = seatsOf(priceLinesOf(order));
  // The answer to an earlier request was lost.
  if (sameSeats(wanted, current) && !sameSeats(wanted, wanted.from)) return 'done';
  const refusal = changeRefusal(order, wanted);
  if (refusal) return refusal;
  const now = await gateway.now();
  if (shown.at > now || shown.at < now - SHOWN_MS) return NEW_PRICE;
  let change: SubscriptionChange = {
    lines: linesWith(order, wanted, addOnPrices().cloudBackup),
    at: shown.at,
  };
  let preview = await gateway.subscriptions.preview(order, change);
  if (!isNotDone(preview) && preview.difference < 0) {
    change = { ...change, at: now };
    preview = await gateway.subscriptions.preview(order, change);
  }
  if (isNotDone(preview)) return preview;
  // Seconds that have passed since may come to a cent.
  if (preview.next.total > shown.next + 1) return NEW_PRICE;
  const outcome = await gateway.subscriptions.change(order, change);
  if (outcome !== 'done') return outcome;
  const followed = await followNow(deps, order, BY_CUSTOMER);
  return followed === 'unavailable' ? followed : 'done';
}

/** Why an order is not changed in the way that its customer wants, in words for them. */
function changeRefusal(order: Order, wanted: Wanted): { refused: string } | undefined {
  const current = seatsOf(priceLinesOf(order));
  if (order.status === 'past_due')
    return { refused: 'Your last payment is overdue. Please replace your card first.' };
  if (order.status !== 'paid')
    return { refused: 'This plan isn’t running, so it can’t be changed.' };
  if (order.endsAt !== null)
    return { refused: 'Your plan is set to end. Choose “Keep my plan” before you change it.' };
  if (order.ms365Option === 'none')
    return { refused: 'Your plan has no Microsoft 365 users to change. Please call us.' };
  if (!sameSeats(wanted.from, current))
    return {
      refused: 'Your plan has changed since you opened this page. Please look at it again.',
    };
  return sameSeats(wanted, current) ? { refused: 'That’s the plan you have already.' } : undefined;
}

/** What was bought keeps the price at which it was bought; a new backup has the price of the day. */
function linesWith(
  order: Order,
  { users, backup }: Seats,
  { label, pricePerUser }: AddOnPrices['cloudBackup'],
): PriceLine[] {
  const known = priceLinesOf(order);
  const newBackup = { kind: 'backup', label, unitPrice: pricePerUser } as const;
  return [
    ...known.filter(({ kind }) => kind === 'plan'),
    ...[
      ...known.filter(({ kind }) => kind === 'microsoft365'),
      ...(backup ? [known.find(({ kind }) => kind === 'backup') ?? newBackup] : []),
    ].map((line) => ({ ...line, quantity: users, amount: cents(line.unitPrice * users) })),
  ];
}

/** Takes back that the plan ends. */
async function resume(deps: OrderDeps, order: Order): Promise<Outcome> {
  if (order.endsAt === null) return 'done';
  const outcome = await deps.gateway.subscriptions.resume(order);
  if (outcome !== 'done') return outcome;
  await addNote(deps.db, order.id, 'The customer keeps the plan');
  await followNow(deps, order, BY_CUSTOMER, { endsAt: null });
  return 'done';
}

/** The card that was entered with this secret is charged from now on; each has one note and one notification. */
async function replaceCard(deps: OrderDeps, order: Order, clientSecret: string): Promise<Outcome> {
  const { db, gateway, notify } = deps;
  const outcome = await gateway.subscriptions.finishCard(order, clientSecret);
  if (outcome !== 'done') return outcome;
  const running = await gateway.subscriptions.getSubscription(order);
  const card = isNotDone(running) ? null : running.card;
  const newCard = card ? `${card.brand} ending in ${card.last4}` : 'a new card';
  const entry = createHash('sha256').update(clientSecret).digest('hex');
  await db.transaction().execute(async (trx) => {
    const note = `The customer replaced the card: ${newCard}`;
    if (!(await noteOnce(trx, order.id, note, `card ${entry}`))) return;
    await trx.updateTable('orders').set({ newCard }).where('id', '=', order.id).execute();
    await notify(trx, orderNotification('order-card-replaced'), order.id);
  });
  await followNow(deps, order, BY_CUSTOMER);
  return 'done';
}

function refuseNotRunning({ gateway }: OrderDeps, order: Order): { refused: string } | undefined {
  if (!isRunning(order.status)) return { refused: 'This plan isn’t running any more.' };
  return order.provider === gateway.provider
    ? undefined
    : { refused: 'This can’t be done here. Please call us.' };
}
