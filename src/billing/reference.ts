/** The numbers of orders and quotes as people see them; isFoundBy finds them in any writing. */

import { withCommas } from '../platform/money.ts';

export function orderReference(id: number): string {
  return `O-${inThrees(id)}`;
}

export function quoteReference(id: number): string {
  return `Q-${inThrees(id)}`;
}

/** Of the order's first payment, second, and so on, where the provider gives it no number. */
export function receiptReference(id: number, place: number): string {
  return `R-${inThrees(id)}-${String(place).padStart(4, '0')}`;
}

/** A number as files and programs have it: 'O-217981339'. */
export function withoutSpaces(reference: string): string {
  return reference.replaceAll(' ', '');
}

/** '217 981 339'; four digits read well as they are. */
function inThrees(id: number): string {
  return id < 10_000 ? String(id) : withCommas(id).replaceAll(',', ' ');
}
