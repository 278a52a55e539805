/** Whether everything that is stored about quotes fits together, whatever was killed on the way. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../src/platform/database/tables.server.ts';

const OVER = ['canceled', 'refunded'];

/** Each disagreement in words; empty when all is well. Throws where there is nothing to compare. */
export async function quotesDisagree(db: Kysely<Tables>): Promise<string[]> {
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
    const told = (channel: string) =>
      outbox.filter((row) => row.topic === `quote ${quote.id}` && row.channel === channel).length;
    const done = (kind: string) =>
      audit.filter((row) => row.kind === kind && row.detail === `Q-${quote.id}`).length;
    if (!links.some(({ quoteId }) => quoteId === quote.id)) say('no link leads to it');
    if (told('mail-staff') !== 1) say(`staff heard of it ${told('mail-staff')} times`);
    const letters = told('mail-customer');
    const due = 1 + done('quote-changed');
    if (letters > due) say('a letter is too many');
    // Of one that can be paid no more no letter is sent, and what waited is gone.
    const paid = orders.some(({ quoteId, status }) => quoteId === quote.id && status === 'paid');
    if (letters < due && quote.withdrawnAt === null && !paid) say('a letter is missing');
    if ((quote.withdrawnAt !== null) !== (done('quote-withdrawn') === 1)) say('withdrawn unkept');
    const own = orders.filter(({ quoteId }) => quoteId === quote.id);
    const open = own.filter(({ status }) => !OVER.includes(status));
    if (open.length > 1) say(`${open.length} orders want to pay it`);
    for (const order of open) {
      if (order.amountCents !== quote.amountCents) say('an order has another price');
      if (order.priceLines !== quote.priceLines) say('an order has other lines');
      if (quote.withdrawnAt !== null) say('an order can still pay it');
    }
  }
  for (const { quoteId } of links)
    if (!quotes.some(({ id }) => id === quoteId))
      found.push(`a link leads to no quote: ${quoteId}`);
  return found;
}
