/** The numbers of orders and quotes as people see them; isFoundBy finds them in any writing. */

import { withCommas } from '../platform/money.ts';

/** The order number that people see, such as 'O-217 981 339'. */
export function orderReference(id: number): string {
  return `O-${inThrees(id)}`;
}

/** The number of a quote as people see it, such as 'Q-217 981 338'. */
export function quoteReference(id: number): string {
  return `Q-${inThrees(id)}`;
}

/** A number as files and programs have it: 'O-217981339'. */
export function withoutSpaces(reference: string): string {
  return reference.replaceAll(' ', '');
}

/** A real one has nine digits. */
function inThrees(id: number): string {
  return withCommas(id).replaceAll(',', ' ');
}
