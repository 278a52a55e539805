/** What a result says in words, for the page, the email and the message to us. */
import { STATE_LABELS, STATES, type State } from './answers.ts';
import type { Result } from './score.ts';

export const NOT_ADVICE = 'This is a self-check, not legal advice.';

export const HOW_ORDERED =
  'In this order: what stops the most common attacks, then what holds the program together, then what comes back every year. Within each, what’s missing comes before what isn’t known, and that before what’s partly in place.';

/** '4 in place, 2 missing'; a state that no element is in is left out. */
export function countsInWords({ elements }: Pick<Result, 'elements'>): string {
  return STATES.flatMap((state) => {
    const count = elements.filter((each) => each.state === state).length;
    return count > 0 ? `${count} ${STATE_LABELS[state].toLowerCase()}` : [];
  }).join(', ');
}

/** Whether there is something to do for it. */
export function isOpen({ state }: { state: State }): boolean {
  return state !== 'in-place' && state !== 'not-required';
}

/** For the message form: what is missing and not known, in one paragraph. */
export function draftOf({ elements }: Result): string {
  const parts = (['missing', 'unknown', 'partly'] as const).flatMap((state) => {
    const names = elements
      .filter((each) => each.state === state)
      .map(({ element }) => element.name);
    return names.length > 0 ? `${STATE_LABELS[state]}: ${names.join('; ')}.` : [];
  });
  return ['We did the FTC Safeguards self-check.', ...parts, 'Please call us about it.'].join('\n');
}
