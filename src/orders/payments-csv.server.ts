/** All payments of the days that staff filter by, as a CSV file, the newest first. */

import { sql } from 'kysely';
import { invoiceStateOf, isOwed } from '../billing/invoice.ts';
import { keptOf } from '../billing/invoice-store.server.ts';
import { orderReference, withoutSpaces } from '../billing/reference.ts';
import { onceInWords, parseLines } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { ALL_TIMES, localIsoTime, timesOf } from '../company/days.ts';
import { inBatches, olderThan } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { type Cell, dollarFigure, writtenNumber } from '../platform/http/file-download.server.ts';
import { type Cents, cents, totalOf } from '../platform/money.ts';
import type { Site } from '../site.server.ts';
import { customerFile } from '../staff/customer-file.server.ts';
import { DOWNLOAD_PAYMENTS, ORDER_FILTER } from './order-api.ts';
import { INVOICE_WORDS } from './status-words.ts';

export function paymentsCsvCall({ db, company, today }: Site): Call {
  return call(DOWNLOAD_PAYMENTS, 'staff', (request) => {
    const { from, to } = timesOf(company, ORDER_FILTER.read(request.query)) ?? ALL_TIMES;
    const newest = selectPayments(db).where('invoice.paidAt', '>=', from).limit(100);
    const payments = inBatches<PaymentRow>((last) => {
      const before = last && { createdAt: last.paidAt ?? 0, id: last.id };
      return newest.where(olderThan(before, to, 'invoice', 'paidAt')).execute();
    });
    return customerFile(db, request, `payments-${today()}.csv`, csvColumns(company), payments);
  });
}

type PaymentRow = Awaited<ReturnType<ReturnType<typeof selectPayments>['execute']>>[number];

/** Unknown amounts are empty: the fee before the provider has charged it. */
function csvColumns(company: Company): Record<string, (payment: PaymentRow) => Cell> {
  const time = localIsoTime(company);
  const dollars = (amount: Cents | null) => (amount === null ? '' : dollarFigure(amount));
  return {
    order: ({ orderId }) => withoutSpaces(orderReference(orderId)),
    date: ({ paidAt }) => (paidAt === null ? '' : time(paidAt)),
    receipt: ({ number }) => withoutSpaces(number ?? ''),
    name: (payment) => billedTo(payment).name,
    company: (payment) => billedTo(payment).company ?? '',
    email: (payment) => billedTo(payment).email,
    amount: ({ amountPaidCents }) => dollars(amountPaidCents),
    tax: ({ taxCents }) => dollars(taxCents),
    once: ({ once }) => dollars(totalOf(parseLines(once))),
    onceFor: ({ once }) => onceInWords(parseLines(once)),
    fee: ({ feeCents }) => dollars(feeCents),
    refunded: ({ refundedCents }) => dollars(refundedCents ?? cents(0)),
    // The fee is not taken off.
    net: (payment) => dollars(cents(keptOf(payment) - (payment.refundedCents ?? 0))),
    purchaseOrder: ({ poNumber }) => writtenNumber(poNumber),
    // A debit that the bank returned later is owed again.
    state: (payment) => refundState(payment) ?? INVOICE_WORDS[invoiceStateOf(payment)].staff,
    reference: ({ paidOutOfBand, reference }) => writtenNumber(paidOutOfBand ? reference : null),
    markedPaidBy: ({ paidOutOfBand, markedPaidBy }) => (paidOutOfBand && markedPaidBy) || '',
  };
}

/** As the receipt says, also once the order's facts were corrected. */
function billedTo(payment: PaymentRow): Pick<PaymentRow, 'name' | 'company' | 'email'> {
  return payment.billedTo === null ? payment : JSON.parse(payment.billedTo);
}

function refundState(payment: PaymentRow) {
  const { status, amountPaidCents: paid, refundedCents } = payment;
  const refunded = refundedCents ?? 0;
  if (refunded === 0 || status !== 'paid' || isOwed(invoiceStateOf(payment))) return undefined;
  return refunded < paid ? 'Partly refunded' : 'Refunded';
}

/** Money that came, also a part of what an invoice asks for. */
function selectPayments(db: Db) {
  const ofCharges = (column: 'feeCents' | 'refundedCents') =>
    sql<Cents | null>`(select cast(sum(${sql.ref(column)}) as bigint) from "charges" where "orderId" = "invoice"."orderId" and "invoiceId" = "invoice"."id")`;
  return db
    .selectFrom('invoices as invoice')
    .innerJoin('orders', 'orders.id', 'invoice.orderId')
    .leftJoin('accounts', 'accounts.id', 'invoice.markedPaidById')
    .selectAll('invoice')
    .select(['orders.name', 'orders.company', 'orders.email'])
    .select(['accounts.name as markedPaidBy'])
    .select([ofCharges('feeCents').as('feeCents'), ofCharges('refundedCents').as('refundedCents')])
    .orderBy('invoice.paidAt', 'desc')
    .orderBy('invoice.id', 'desc');
}
