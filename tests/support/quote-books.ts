/** Checks that quotes, their links, orders and emails agree. */
import type { Db } from '../../src/platform/database/tables.server.ts';

const OVER = ['canceled', 'refunded'];

/** Returns the disagreements. Throws if there is nothing to compare. */
export async function quotesDisagree(db: Db): Promise<string[]> {
  const quotes = await db.selectFrom('quotes').selectAll().execute();
  const links = await db.selectFrom('quoteLinks').selectAll().execute();
  const orders = await db
    .selectFrom('orders')
    .selectAll()
    .where('quoteId', 'is not', null)
    .execute();
  const outbox = await db.selectFrom('outbox').select(['topic', 'channel']).execute();
  const audit = await db.selectFrom('audit').select(['kind', 'detail']).execute();
  if (quotes.length === 0 || orders.length === 0) throw new Error('nothing has happened');
  const found: string[] = [];
  for (const quote of quotes) {
    const say = (what: string) => found.push(`Q-${quote.id}: ${what}`);
    const sent = (channel: string) =>
      outbox.filter((row) => row.topic === `quote ${quote.id}` && row.channel === channel).length;
    const audited = (kind: string) =>
      audit.filter((row) => row.kind === kind && row.detail === `Q-${quote.id}`).length;
    if (!links.some(({ quoteId }) => quoteId === quote.id)) say('has no link');
    if (sent('mail-staff') !== 1) say(`staff got ${sent('mail-staff')} emails`);
    const emails = sent('mail-customer');
    const due = 1 + audited('quote-changed');
    if (emails > due) say('sent too many emails');
    // Once a quote is paid or withdrawn, waiting emails are dropped.
    const paid = orders.some(({ quoteId, status }) => quoteId === quote.id && status === 'paid');
    if (emails < due && quote.withdrawnAt === null && !paid) say('an email is missing');
    if ((quote.withdrawnAt !== null) !== (audited('quote-withdrawn') === 1))
      say('the audit log and withdrawnAt differ');
    const own = orders.filter(({ quoteId }) => quoteId === quote.id);
    const open = own.filter(({ status }) => !OVER.includes(status));
    if (open.length > 1) say(`has ${open.length} open orders`);
    for (const order of open) {
      if (order.amountCents !== quote.amountCents) say('an order has a different amount');
      if (order.priceLines !== quote.priceLines) say('an order has different lines');
      if (quote.withdrawnAt !== null) say('was withdrawn, but an order is still open');
    }
  }
  for (const { quoteId } of links)
    if (!quotes.some(({ id }) => id === quoteId)) found.push(`a link has no quote: ${quoteId}`);
  return found;
}
