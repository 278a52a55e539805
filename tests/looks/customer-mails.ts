/** Every kind of email that a customer gets, of one fictional dealer, with fixed days and sums. */

import { mock } from 'node:test';
import { snapshotOf } from '../../src/billing/event-facts.server.ts';
import type { OrderEvent } from '../../src/billing/order-event.server.ts';
import { getOrder } from '../../src/billing/order-store.server.ts';
import { monthlyPrice } from '../../src/catalogue/pricing.ts';
import { contactReceived } from '../../src/contact/contact-message.server.ts';
import { readEnv } from '../../src/env.server.ts';
import { threadAnswered } from '../../src/inbox/thread-answered.server.ts';
import { customerEmail } from '../../src/notifications/mail.server.ts';
import type { CustomerEmail, Email } from '../../src/notifications/notification.server.ts';
import { ORDER_NOTIFICATIONS } from '../../src/orders/order-notifications.server.ts';
import { orderLinks } from '../../src/own-page/lost-link.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { cents } from '../../src/platform/money.ts';
import { noticeEmail } from '../../src/price-changes/notice-mails.server.ts';
import { quoteChanged, quoteMailed, quoteReminder } from '../../src/quotes/quote-mails.server.ts';
import { findQuote, insertQuote } from '../../src/quotes/quote-store.server.ts';
import type { Answer } from '../../src/safeguards/check.ts';
import { reportOf, safeguardsReport } from '../../src/safeguards/email-report.server.ts';
import { ownContent, todaysAddOnPrices } from '../support/own-content.ts';
import { INVOICE, savedOrder } from '../support/saved-order.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAY = Date.parse('2026-05-13T14:30:00Z');
const JUNE = Date.parse('2026-06-13T14:30:00Z');
const DANA = { name: 'Dana Whitfield', email: 'dana@lanternrow.example' };
const COMPANY = 'Lantern Row Motors';
const ANSWERS: readonly Answer[] = ['yes', 'yes', 'partly', 'yes', 'no', 'unsure', 'yes'];

/** By names such as 'paid' and 'quote-saved'. */
export async function customerMails(): Promise<Record<string, Email>> {
  const { db, close } = await openDatabase(readEnv({ DATA_DIR: temporaryFolder() }));
  const content = ownContent();
  const publicUrl = 'https://www.tidewell.example';
  const context = { db, company: content.company, publicUrl, isOwnAddress: () => false };

  const priceFor = (users: number, plan = 850_00) =>
    monthlyPrice(
      { name: 'Professional', price: cents(plan) },
      { ms365Option: 'business_premium', ms365Users: users, includeCloudBackup: true },
      todaysAddOnPrices(content),
    );
  const { lines, total } = priceFor(20);
  const monthly = { lines, tax: cents(0) };
  const priced = {
    planName: 'Professional',
    priceLines: JSON.stringify(lines),
    amountCents: total,
  };
  const { id } = await savedOrder(db, {
    ...{ ...DANA, ...priced, company: COMPANY, poNumber: 'LR-2026-118' },
    ...{ live: 1, status: 'past_due', createdAt: MAY, daysUntilDue: 15 },
  });
  const sums = { amountCents: total, amountPaidCents: cents(0), amountRemainingCents: total };
  const period = { periodStart: MAY, periodEnd: JUNE };
  const open = { ...sums, id: INVOICE.id, orderId: id, createdAt: MAY, status: 'open' } as const;
  await db
    .insertInto('invoices')
    .values({ ...open, ...period, poNumber: 'LR-2026-118', lines: priced.priceLines })
    .execute();
  const order = await getOrder(db, { id });
  const paid = {
    ...INVOICE,
    ...period,
    number: 'TW-0042',
    amount: total,
    card: 'Visa ending in 4242',
  };
  const owed = { ...paid, card: null, remaining: total, dueDay: '2026-05-28' };
  const tried = { card: paid.card, nextAt: Date.parse('2026-05-16T14:30:00Z') };
  const refund = {
    amount: cents(110_00),
    total: cents(110_00),
    of: [{ invoice: paid, amount: cents(110_00) }],
  };
  const events: Record<string, OrderEvent> = {
    paid: { kind: 'paid', monthly, invoice: paid },
    renewed: { kind: 'renewed', invoices: [paid], running: true },
    'renewal-failed': { kind: 'renewal-failed', invoice: owed, toConfirm: false, tried },
    'renewal-to-confirm': { kind: 'renewal-failed', invoice: owed, toConfirm: true },
    'invoice-sent': { kind: 'invoice-sent', monthly, invoice: owed },
    overdue: { kind: 'overdue', invoice: owed },
    'debit-returned': { kind: 'debit-returned', invoice: owed, wasPaid: false },
    disputed: { kind: 'disputed', amount: total, invoice: paid },
    refunded: { kind: 'refunded', ...refund, running: true, lost: false },
    'refund-failed': { kind: 'refund-failed', ...refund, total: cents(0) },
    paused: { kind: 'paused', paused: true },
    changed: {
      ...{
        kind: 'changed',
        before: { users: 20, backup: true },
        after: { users: 26, backup: true },
      },
      ...{ monthly: { ...monthly, lines: priceFor(26).lines }, was: monthly },
    },
    'card-replaced': { kind: 'card-replaced', card: 'Mastercard ending in 4444' },
    ending: { kind: 'ending', endsAt: JUNE },
    'end-withdrawn': { kind: 'ending', endsAt: null },
    ended: { kind: 'ended', invoiceIsVoid: false, withoutRefund: true },
    'credit-left': { kind: 'credit-left', amount: cents(110_00) },
    'paid-after-end': { kind: 'paid-after-end', invoices: [paid], status: 'canceled' },
  };

  const mails: Record<string, Email> = {};
  async function add(
    name: string,
    written: CustomerEmail | undefined | Promise<CustomerEmail | undefined>,
  ) {
    const email = await written;
    if (!email) throw new Error(`${name} says nothing`);
    mails[name] = customerEmail(email, context);
  }

  for (const [name, event] of Object.entries(events)) {
    const kind = ORDER_NOTIFICATIONS.find((each) => each.kind === `order-${event.kind}`);
    const subject = { order, event, so: snapshotOf(order), by: null };
    await add(name, kind?.customerEmail?.(subject, MAY, context));
  }
  const notice = { id: 1, effectiveAt: JUNE, from: lines, to: priceFor(20, 877_10).lines };
  for (const event of [
    { kind: 'price-announced', notice },
    { kind: 'price-withdrawn', monthly },
    { kind: 'terms-announced', notice },
  ] as const)
    await add(event.kind, noticeEmail(order, event, context));

  const quoteId = await insertQuote(db, {
    ...{ ...DANA, ...priced, company: COMPANY, note: null, planId: 2, madeById: null },
    ...{ ms365Option: 'business_premium', ms365Users: 20, includeCloudBackup: 1 },
    ...{ discountPercent: null, discountCents: cents(0), discountReason: null, dueDays: null },
    ...{ createdAt: MAY, changedAt: MAY, expiresAt: JUNE, remindAt: JUNE },
  });
  const quote = await findQuote(db, quoteId);
  // A quote that has ended is not mailed.
  mock.timers.enable({ apis: ['Date'], now: MAY });
  for (const kind of [quoteMailed, quoteChanged, quoteReminder])
    if (quote) await add(kind.kind, kind.customerEmail?.(quote, MAY, context));
  mock.timers.reset();

  const { email } = DANA;
  const received = { ...DANA, id: 2, phone: null, service: null, message: '', createdAt: MAY };
  const answer = {
    ...{ ...DANA, id: 1, threadId: 2, kind: 'contact' as const, reference: 'C-2', watched: false },
    ...{ author: 'elena', publicName: 'Elena Vasquez', at: MAY, seenAt: null },
    text: `Hello Dana,\n\nYes, we support both stores, and we can start with the service lane. Would Thursday at 10 suit you?`,
    answered: {
      at: MAY,
      text: 'Can you look after two dealerships?\n\nWe are in Marietta and Kennesaw.',
    },
  };
  const { safeguards } = content;
  const answers = safeguards.questions.map(({ id }, at): [string, Answer] => {
    return [id, ANSWERS[at % ANSWERS.length] ?? 'yes'];
  });
  const report = JSON.stringify(reportOf(safeguards, Object.fromEntries(answers)));
  const request = { id: 1, email, orderId: null, place: null, createdAt: MAY, holdUntil: JUNE };
  const others = [
    contactReceived.customerEmail?.({ ...received, status: 'new' }, MAY, context),
    threadAnswered.customerEmail?.(answer, MAY, context),
    orderLinks.customerEmail?.({ request, orders: [order] }, MAY, context),
    safeguardsReport.customerEmail?.({ id: 1, email, report, createdAt: MAY }, MAY, context),
  ];
  const names = ['contact-received', 'answer', 'order-links', 'safeguards-report'];
  for (const [at, each] of others.entries()) await add(names[at] ?? '', each);
  await close();
  return mails;
}
