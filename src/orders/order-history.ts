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

/**
 * The cause of what a payment provider's event changed. Staff read `event` in the API, and find it
 * in the dashboard.
 */
export function reportedBy(provider: string, event: string): string {
  return `reported by ${provider} (event ${event})`;
}

const EVENT = / \(event [^)]*\)/g;

/** Oldest first. */
export function changesOf({ history, notes }: Recorded): Change[] {
  // On its way to a status, an order may pass through others at the same moment.
  const reached = history.filter((one, place) => {
    const next = history[place + 1];
    return !next || next.cause !== one.cause || Date.parse(next.at) - Date.parse(one.at) > 1000;
  });
  const texts = notes.map(({ note }) => note);
  const causes = [...reached.map(({ cause }) => cause), ...texts.map(causeOf)];
  // What staff or a customer did is noted at once, and again with what came of it.
  const ownNotes = notes.filter(({ note }) => {
    if (note.includes(' refunded in all (')) return !texts.includes(causeOf(note));
    return note.includes(' refunded by ') || !causes.includes(note);
  });
  return [
    ...reached.map(({ status, at, cause }) => ({
      at,
      what: status && STATUS_WORDS[status].staff,
      why: inWords(cause),
    })),
    ...ownNotes.map(({ at, note }) => ({ at, what: null, why: inWords(note) })),
  ].sort((one, other) => one.at.localeCompare(other.at));
}

/** What a note ends with in parentheses. */
function causeOf(note: string): string {
  return note.endsWith(')') ? note.slice(note.indexOf('(') + 1, -1) : '';
}

function inWords(text: string): string {
  return text.replace(EVENT, '');
}
