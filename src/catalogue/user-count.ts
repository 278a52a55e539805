/** How many people a choice is for. */
import { withCommas } from '../platform/money.ts';

export const MAX_USERS = 1000;
export const WRONG_USERS = wrongCount(MAX_USERS);

export function wrongCount(most: number): string {
  return `Please enter a whole number from 1 to ${withCommas(most)}`;
}

/** A number of people as typed: digits only, no more than `most` has, from 1 to `most`; undefined for anything else. */
export function readCount(text: string, most: number): number | undefined {
  if (text.length > String(most).length || !/^\d+$/.test(text)) return undefined;
  const count = Number(text);
  return count >= 1 && count <= most ? count : undefined;
}

const USERS_BY_PLAN: Record<string, number> = { essential: 10, professional: 20, enterprise: 50 };

/** How many users a plan is sized for: the default count for its add-ons, not free seats. */
export function includedUsers(planName: string): number {
  const key = planName.toLowerCase();
  return Object.hasOwn(USERS_BY_PLAN, key) ? (USERS_BY_PLAN[key] ?? 1) : 1;
}
