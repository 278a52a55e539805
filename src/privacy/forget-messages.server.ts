/**
 * Messages, conversations and quotes that have rested for long enough are erased, at the start and each hour, in pieces that
 * keep no request waiting. Several servers may do so at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Interval } from '../platform/interval.server.ts';
import {
  forgetMessages,
  restingChats,
  restingMessages,
  restingQuotes,
} from './forget-store.server.ts';
import type { PeopleDeps } from './people-deps.server.ts';
import { chatTrace, messageTrace, quoteTrace } from './traces.server.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

type Deps = Pick<PeopleDeps, 'db' | 'forgetDeliveriesAbout'>;

/** `days` 0 keeps everything. */
export function keepMessagesFor(days: number, deps: Deps): Interval {
  return new Interval('messages-not-forgotten', HOUR_MS, (isStopped) =>
    forgetRestingMessages(days, deps, () => !isStopped()),
  );
}

export async function forgetRestingMessages(
  days: number,
  deps: Deps,
  goOn: () => boolean = () => true,
): Promise<void> {
  if (days === 0) return;
  const before = Date.now() - days * DAY_MS;
  while (goOn() && (await forgetSome(deps, before)) > 0) await nextTurn();
}

/** Gives how many it has erased. */
function forgetSome({ db, forgetDeliveriesAbout }: Deps, before: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const messages = (await restingMessages(trx, before)).map(messageTrace);
    const chatMessages = (await restingChats(trx, before)).map(chatTrace);
    const quotes = (await restingQuotes(trx, before)).map(quoteTrace);
    const all = [...messages, ...chatMessages, ...quotes];
    await forgetDeliveriesAbout(trx, all);
    await forgetMessages(trx, { messages, chatMessages, quotes });
    return all.length;
  });
}
