/** All payments of the days that staff filter by, as a CSV file, the newest first. */
import type { Company } from '../company/company.ts';
import { localDate, localIsoTime, type Times, timesOf } from '../company/hours.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { type Cell, csvDownload, figure } from '../platform/http/file-download.server.ts';
import { type Cents, cents, toDollars } from '../platform/money.ts';
import { INVOICE_WORDS, orderReference } from './order.ts';
import { DOWNLOAD_PAYMENTS, ORDER_FILTER } from './order-api.ts';
import { invoiceStateOf } from './order-billing.server.ts';

export function paymentsCsvCall(db: Db, company: Company): Call {
  return call(DOWNLOAD_PAYMENTS, {
    access: 'staff',
    handle: async ({ query }) => {
      const name = `payments-${localDate(company, Date.now())}.csv`;
      const times = timesOf(company, ORDER_FILTER.read(query));
      return csvDownload(name, csvColumns(company), paymentBatches(db, times));
    },
  });
}

type Payment = Awaited<ReturnType<ReturnType<typeof selectPayments>['execute']>>[number];

/** Unknown amounts are empty: the fee before the provider has charged it. */
function csvColumns(company: Company): Record<string, (payment: Payment) => Cell> {
  const time = localIsoTime(company);
  const dollars = (amount: Cents | null) =>
    amount === null ? '' : figure(toDollars(amount).toFixed(2));
  return {
    order: ({ orderId }) => orderReference(orderId),
    date: ({ createdAt }) => time(createdAt),
    receipt: ({ number }) => number ?? '',
    name: ({ name }) => name,
    company: ({ company }) => company ?? '',
    email: ({ email }) => email,
    amount: ({ amountCents }) => dollars(amountCents),
    tax: ({ taxCents }) => dollars(taxCents),
    fee: ({ feeCents }) => dollars(feeCents),
    refunded: ({ refundedCents }) => dollars(refundedCents ?? cents(0)),
    purchaseOrder: ({ poNumber }) => poNumber ?? '',
    // A debit that the bank returned later is owed again.
    state: (payment) => INVOICE_WORDS[invoiceStateOf(payment)].staff,
    reference: ({ reference }) => reference ?? '',
  };
}

const BATCH_SIZE = 500;

async function* paymentBatches(db: Db, times?: Times): AsyncGenerator<Payment[]> {
  const newest = selectPayments(db, times).limit(BATCH_SIZE);
  let batch = await newest.execute();
  for (let last = batch.at(-1); last; last = batch.at(-1)) {
    yield batch;
    const { createdAt, id } = last;
    batch = await newest
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('invoice.createdAt', 'invoice.id'), '<', tuple(createdAt, id)),
      )
      .execute();
  }
}

function selectPayments(db: Db, times: Times = { from: 0, to: Number.MAX_SAFE_INTEGER }) {
  return db
    .selectFrom('orderInvoices as invoice')
    .innerJoin('orders', 'orders.id', 'invoice.orderId')
    .leftJoin('orderCharges as charge', 'charge.id', 'invoice.chargeId')
    .select([
      'invoice.id',
      'invoice.orderId',
      'invoice.createdAt',
      'number',
      'name',
      'company',
      'email',
    ])
    .select('poNumber')
    .select(['invoice.amountCents', 'taxCents', 'feeCents', 'charge.refundedCents'])
    .select(['paid', 'waived', 'overdue', 'attempt', 'reference'])
    .where('paid', '=', 1)
    .where('invoice.createdAt', '>=', times.from)
    .where('invoice.createdAt', '<=', times.to)
    .orderBy('invoice.createdAt', 'desc')
    .orderBy('invoice.id', 'desc');
}
