/** Customers are reminded of quotes that are about to end, each time once, however many servers look. */
import type { QuoteDeps } from './make-quote.server.ts';
import { daysFrom, REMINDERS, remindersDue } from './quote.ts';
import { quoteReminder } from './quote-mails.server.ts';
import { countReminder, endingQuotes } from './quote-store.server.ts';

export const REMIND_EVERY_MS = 10 * 60 * 1000;
/** So many in one go; the rest follows with the next. */
const AT_ONCE = 200;

/** A customer who was not reminded in time because the server was down gets the newest reminder alone. */
export async function remindOfQuotes(
  { db, notify, gateway }: Pick<QuoteDeps, 'db' | 'notify' | 'gateway'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const now = await gateway.now();
  for (const [place, days] of REMINDERS.entries()) {
    const until = daysFrom(now, days);
    const ending = await endingQuotes(db, { now, until, most: place + 1, limit: AT_ONCE });
    for (const quote of ending) {
      if (isStopped()) return;
      await db.transaction().execute(async (trx) => {
        const first = await countReminder(trx, quote, remindersDue(quote.expiresAt, now));
        if (first && quote.acceptedAt === null) await notify(trx, quoteReminder, quote.id);
      });
    }
  }
}
