/**
 * Customers, and staff for them, change a running plan: its price is shown first, then confirmed.
 */

import type { Order } from '../billing/billed-order.server.ts';
import type { Actor } from '../billing/cause.server.ts';
import type { SubscriptionChange } from '../billing/gateway.server.ts';
import { findNotice } from '../billing/notice-store.server.ts';
import { askProvider } from '../billing/order-event-store.server.ts';
import { isNotDone, type NotDone, type Outcome, type Refused } from '../billing/outcome.server.ts';
import { refuseOtherProvider } from '../billing/provider-mode.server.ts';
import { refreshForVisitor, refreshOrder } from '../billing/refresh-order.server.ts';
import { pricesToCome } from '../billing/settle-notice.server.ts';
import { payingWords, planOptions } from '../billing/subscription.ts';
import { isOffered, lineOf, type PriceLine, parseLines } from '../catalogue/pricing.ts';
import { type Cents, cents, toDollars } from '../platform/money.ts';
import { isoTime, MINUTE_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import type { ChangedPlan, OffersJson, PlanChange, PreviewJson } from './own-page-api.ts';

interface ShownPreview {
  at: number;
  next: Cents;
}

const PREVIEW_MS = 15 * MINUTE_MS;
/** Providers count whole seconds. */
const thisSecond = () => Math.floor(Date.now() / 1000) * 1000;
const NEW_PRICE = { refused: 'The price has changed. Please look at it again.' };

/** What can be chosen: what the order has at its own price, all else at today's. */
export function offersFor({ catalogue }: Pick<Site, 'catalogue'>, order: Order): OffersJson {
  const { microsoft365, cloudBackup } = catalogue.addOnPrices();
  const plans = catalogue
    .current()
    .plans.map(({ id, name, price, users }) => ({ id, name, price, users }));
  const licenses = Object.entries(microsoft365).map(([option, { label, pricePerUser }]) => ({
    id: option,
    name: label,
    price: pricePerUser,
    users: null,
  }));
  return {
    plans: withOwn(plans, order.planId, ownLine(order, 'plan')),
    licenses: withOwn(licenses, order.ms365Option, ownLine(order, 'microsoft365')),
    backup: toDollars(ownLine(order, 'backup')?.unitPrice ?? cloudBackup.pricePerUser),
  };
}

function ownLine({ subscription }: Order, kind: PriceLine['kind']): PriceLine | undefined {
  return parseLines(subscription.priceLines).find((line) => line.kind === kind);
}

function withOwn<Id>(
  offers: { id: Id; name: string; price: Cents; users: number | null }[],
  id: Id,
  line: PriceLine | undefined,
) {
  const own = line && { id, name: line.label, price: line.unitPrice };
  const isListed = offers.some((offer) => offer.id === id);
  return [...(own && !isListed ? [{ ...own, users: null }] : []), ...offers].map((offer) => {
    const { price, ...rest } = offer.id === id ? { ...offer, ...own } : offer;
    return { ...rest, price: toDollars(price) };
  });
}

/** The price of the change if made now, on top of what staff have changed at the provider. */
export async function previewChange(
  context: Site,
  shownOrder: Order,
  { actor, ...change }: PlanChange & { actor: Actor },
): Promise<PreviewJson | NotDone> {
  const elsewhere = refuseOtherProvider(context.gateway, shownOrder);
  if (elsewhere) return elsewhere;
  const cause = { actor, reason: 'change-priced' as const };
  const order = await refreshForVisitor(context, shownOrder, cause);
  if (order === 'unavailable') return order;
  const wanted = await checkChange(context, order, change);
  if ('refused' in wanted) return wanted;
  const at = thisSecond();
  const preview = await context.gateway.subscriptions.preview(order, {
    ...wanted,
    at,
    toCome: pricesToCome(await findNotice(context.db, order.id)),
  });
  if (isNotDone(preview)) return preview;
  const { monthly, difference, next } = preview;
  return {
    at: isoTime(at),
    monthly: monthly === null ? null : toDollars(monthly),
    difference: difference === null ? null : toDollars(difference),
    next: {
      at: isoTime(next.at),
      total: toDollars(next.total),
      tax: toDollars(next.tax),
    },
  };
}

/** A change takes effect at the previewed time, so that it costs what was shown. */
export async function changePlan(
  context: Site,
  shownOrder: Order,
  { actor, ...requested }: PlanChange & { actor: Actor },
  shown: ShownPreview,
): Promise<Outcome> {
  const { gateway } = context;
  // A price that staff have changed at the provider must not be changed back.
  const order = await refreshOrder(context, shownOrder, { actor, reason: 'change-confirmed' });
  if (order === 'unavailable') return order;
  const [to, from] = [asChosen(order, requested), asChosen(order, requested.from)];
  // A retry: the change was made, and its answer was lost.
  if (isSame(to, chosenOf(order)) && !isSame(to, from)) return 'done';
  const wanted = await checkChange(context, order, requested);
  if ('refused' in wanted) return wanted;
  const now = thisSecond();
  if (shown.at > now || shown.at < now - PREVIEW_MS) return NEW_PRICE;
  const change: SubscriptionChange = {
    ...wanted,
    at: shown.at,
    confirmedAt: now,
    toCome: pricesToCome(await findNotice(context.db, order.id)),
  };
  const preview = await gateway.subscriptions.preview(order, change);
  if (isNotDone(preview)) return preview;
  if (preview.next.total > shown.next) return NEW_PRICE;
  const press = {
    kind: 'change-asked' as const,
    from: planOptions(parseLines(order.subscription.priceLines)),
    to: planOptions(change.lines),
  };
  const changed = await askProvider(context, order.id, { press, actor }, (pressId) =>
    gateway.subscriptions.change(order, change, pressId),
  );
  if (isNotDone(changed)) return changed;
  const followed = await refreshOrder(context, order, changed);
  return followed === 'unavailable' ? followed : 'done';
}

type Chosen = Required<ChangedPlan>;

function chosenOf({ planId, ms365Option, subscription }: Order): Chosen {
  const { users, backup } = planOptions(parseLines(subscription.priceLines));
  return { planId, ms365Option, users, backup };
}

/** Release 1.0 sends no plan and no license: they stay. Without a license there are no users. */
function asChosen(order: Order, { planId, ms365Option, users, backup }: ChangedPlan): Chosen {
  const option = ms365Option ?? order.ms365Option;
  const isNone = option === 'none';
  return {
    planId: planId ?? order.planId,
    ms365Option: option,
    users: isNone ? 0 : users,
    backup: !isNone && backup,
  };
}

function isSame(one: Chosen, other: Chosen): boolean {
  return (['planId', 'ms365Option', 'users', 'backup'] as const).every(
    (key) => one[key] === other[key],
  );
}

export const CHANGED = {
  refused: 'Your plan has changed since you opened this page. Please look at it again.',
};

/** What is charged after the change, or why it cannot be made, for the customer to read. */
async function checkChange(
  context: Site,
  order: Order,
  change: PlanChange,
): Promise<Required<Pick<SubscriptionChange, 'lines' | 'sold'>> | Refused> {
  if (order.status === 'past_due') return { refused: payingWords(order.subscription).unpaid };
  if (order.status !== 'paid')
    return { refused: 'This plan isn’t running, so it can’t be changed.' };
  if (order.subscription.cancelAt !== null)
    return { refused: 'Your plan is set to end. Choose “Keep my plan” before you change it.' };
  const [current, wanted] = [chosenOf(order), asChosen(order, change)];
  if (!isSame(asChosen(order, change.from), current)) return CHANGED;
  if (isSame(wanted, current)) return { refused: 'That’s the plan you have already.' };
  return linesFor(context, order, wanted);
}

/** Lines keep their unit price; what is new gets today's. */
async function linesFor({ catalogue }: Site, order: Order, wanted: Chosen) {
  const { planId, ms365Option, users, backup } = wanted;
  const { microsoft365, cloudBackup } = catalogue.addOnPrices();
  const kept = planId === order.planId ? ownLine(order, 'plan') : undefined;
  const plan = kept ?? (await catalogue.findPlan(planId));
  if (!plan) return { refused: 'This plan is no longer sold. Please choose another.' };
  const perUser: PriceLine[] = [];
  if (ms365Option !== 'none') {
    const license = ms365Option === order.ms365Option ? ownLine(order, 'microsoft365') : undefined;
    if (!license && !isOffered(catalogue.addOnPrices(), ms365Option))
      return { refused: 'This Microsoft 365 license is no longer sold. Please choose another.' };
    const { label = '', pricePerUser = cents(0) } = microsoft365[ms365Option] ?? {};
    perUser.push(license ?? lineOf('microsoft365', label, pricePerUser));
  }
  if (backup)
    perUser.push(
      ownLine(order, 'backup') ?? lineOf('backup', cloudBackup.label, cloudBackup.pricePerUser),
    );
  return {
    lines: [
      'kind' in plan ? plan : lineOf('plan', plan.name, plan.price),
      ...perUser.map((line) => ({
        ...line,
        quantity: users,
        amount: cents(line.unitPrice * users),
      })),
    ],
    sold: { planId, ms365Option },
  };
}
