/** Time that a test moves for some customers: what falls due on the way is done in its order. */
import { emit, endSubscription, expireIncomplete, setStatus } from './billing.ts';
import { collect, turnPeriod } from './cycles.ts';
import { invalid } from './errors.ts';
import { finalizeInvoice } from './invoicing.ts';
import type { Invoice } from './objects-invoice.ts';
import { periodEnd, type Subscription } from './objects-subscription.ts';
import { makeTestClock, type TestClock } from './objects-test-clock.ts';
import { refer, retrieve, rowsOf, save, type World } from './world.ts';

const unpaidSeconds = 23 * 3600;
const monthly = { interval: 'month' as const, interval_count: 1, usage_type: 'licensed' };
const noSubscriptionMonths = 24;

interface NewClock {
  frozen_time: number;
  customer?: string | undefined;
  name?: string | undefined;
}

export const createClock = (world: World, { frozen_time, customer: id, name }: NewClock) => {
  const customer = id === undefined ? undefined : refer(world, 'customer', id, 'customer');
  if (customer?.test_clock) throw invalid('The customer has a test clock already.', 'customer');
  const clock = save(world, 'test_clock', makeTestClock(world, frozen_time, name));
  if (customer) customer.test_clock = clock.id;
  for (const subscription of rowsOf(world, 'subscription', (row) => row.customer === id))
    subscription.test_clock = clock.id;
  return clock;
};

/** What will happen to a subscription by itself, and when. */
interface Due {
  at: number;
  act(world: World): void;
}

const subscriptionsOf = (world: World, clock: TestClock): Subscription[] =>
  rowsOf(world, 'subscription', (row) => row.test_clock === clock.id);

const invoicesOf = (world: World, { id }: Subscription): Invoice[] =>
  rowsOf(world, 'invoice', (row) => row.parent.subscription_details.subscription === id);

const turn = (world: World, subscription: Subscription): void => {
  const invoice = turnPeriod(world, subscription);
  if (subscription.status === 'canceled') {
    if (invoice) collect(world, invoice);
    return;
  }
  // Whoever is far behind is billed, but not charged.
  if (subscription.status === 'unpaid' && invoice)
    Object.assign(invoice, { automatically_finalizes_at: null, next_payment_attempt: null });
  emit(world, 'invoice.created', invoice ?? {});
  emit(world, 'customer.subscription.updated', subscription);
};

const attempt = (world: World, invoice: Invoice, subscription: Subscription): void => {
  if (invoice.status === 'draft') emit(world, 'invoice.finalized', finalizeInvoice(world, invoice));
  collect(world, invoice);
  if (invoice.status !== 'open' || invoice.next_payment_attempt !== null) return;
  if (world.afterRetries === 'cancel') endSubscription(world, subscription, 'payment_failed');
  if (world.afterRetries === 'unpaid') setStatus(world, subscription, 'unpaid');
};

const dueFor = (world: World, subscription: Subscription): Due[] => {
  const { status, created, cancel_at, items } = subscription;
  if (status === 'canceled' || status === 'incomplete_expired') return [];
  if (status === 'incomplete')
    return [{ at: created + unpaidSeconds, act: (now) => expireIncomplete(now, subscription) }];
  const bills = invoicesOf(world, subscription).flatMap((invoice): Due[] => {
    const at =
      invoice.status === 'draft'
        ? invoice.automatically_finalizes_at
        : invoice.next_payment_attempt;
    const waits = invoice.status === 'draft' || invoice.status === 'open';
    return at === null || !waits ? [] : [{ at, act: (now) => attempt(now, invoice, subscription) }];
  });
  const at = Math.min(cancel_at ?? Infinity, items.data[0]?.current_period_end ?? 0);
  return [...bills, { at, act: (now) => turn(now, subscription) }];
};

const latestFor = (world: World, clock: TestClock): number => {
  const ends = subscriptionsOf(world, clock).map(({ items }) =>
    periodEnd(clock.frozen_time, items.data[0]?.price.recurring ?? monthly, 2),
  );
  return Math.min(...ends, periodEnd(clock.frozen_time, monthly, noSubscriptionMonths));
};

/** As the address `…/advance`, which answers before the time has passed. */
export const advanceClock = (base: World, id: string, to: number): TestClock => {
  const clock = retrieve(base, 'test_clock', id);
  const world = { ...base, now: () => clock.frozen_time };
  if (to <= clock.frozen_time)
    throw invalid('The frozen time must be after the present frozen time.', 'frozen_time');
  if (to > latestFor(world, clock)) {
    throw invalid(
      'A test clock advances by no more than two intervals of its shortest subscription.',
      'frozen_time',
    );
  }
  clock.status = 'advancing';
  const answer = { ...clock };
  emit(world, 'test_helpers.test_clock.advancing', clock);
  for (;;) {
    const [next] = subscriptionsOf(world, clock)
      .flatMap((subscription) => dueFor(world, subscription))
      .filter(({ at }) => at <= to)
      .sort((one, other) => one.at - other.at);
    if (next === undefined) break;
    clock.frozen_time = Math.max(clock.frozen_time, next.at);
    next.act(world);
  }
  clock.frozen_time = to;
  clock.status = 'ready';
  emit(world, 'test_helpers.test_clock.ready', clock);
  return answer;
};
