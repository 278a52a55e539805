/** An order's history as staff read it: each change once, in plain words. */
import { type OrderStatus, STATUS_WORDS } from './order.ts';

interface Recorded {
  history: readonly { status: OrderStatus | null; at: string; cause: string }[];
  notes: readonly { at: string; note: string }[];
}

interface Change {
  at: string;
  /** The new status in words; null for a note. */
  what: string | null;
  why: string;
}

/** Stripe's names of an event; they stay in the API and in Stripe's dashboard. */
const STRIPE_EVENT = /Stripe: [a-z_.]+ \(evt_\w+\)/g;

/** Oldest first. */
export function changesOf({ history, notes }: Recorded): Change[] {
  // On its way to a status, an order may pass through others at the same moment.
  const reached = history.filter((one, place) => {
    const next = history[place + 1];
    return !next || next.cause !== one.cause || Date.parse(next.at) - Date.parse(one.at) > 1000;
  });
  const said = (text: string) => notes.some(({ note }) => note === text);
  const causes = [
    ...reached.map(({ cause }) => cause),
    ...notes.flatMap(({ note }) => /\((.*)\)$/.exec(note)?.[1] ?? []),
  ];
  // What staff or a customer did is noted at once, and again with what came of it.
  const own = notes.filter(({ note }) => {
    const [, refund] = / refunded in all \((.*)\)$/.exec(note) ?? [];
    if (refund !== undefined) return !said(refund);
    return / refunded by /.test(note) || !causes.includes(note);
  });
  return [
    ...reached.map(({ status, at, cause }) => ({
      at,
      what: status && STATUS_WORDS[status].staff,
      why: inWords(cause),
    })),
    ...own.map(({ at, note }) => ({ at, what: null, why: inWords(note) })),
  ].sort((one, other) => one.at.localeCompare(other.at));
}

function inWords(text: string): string {
  return text.replace(STRIPE_EVENT, 'reported by Stripe');
}
