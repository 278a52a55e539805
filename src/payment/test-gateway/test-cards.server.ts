/** What is known of a test card from its token: nobody sends its number. */
import { TEST_CARDS, type TestToken } from '../../orders/payment.ts';
import type { CardOnFile } from '../../orders/subscription.server.ts';
import { brandOf } from './card-numbers.ts';

export interface TestCard {
  token: TestToken;
  last4: string;
}

/** The card with these last digits if it stands for the token; else the first one that does. */
export function testCard(token: TestToken, last4: string | undefined): TestCard {
  const cards = Object.entries(TEST_CARDS).filter(([, each]) => each === token);
  const endings = cards.map(([number]) => number.slice(-4));
  return { token, last4: endings.find((each) => each === last4) ?? endings[0] ?? '' };
}

export function chargesLater({ token }: { token: TestToken }): boolean {
  return token === 'succeeds' || token === 'asks';
}

/** The browser keeps what was typed as expiry, so a test card counts as good until the third December from then. */
export function expiryYear(now: number): number {
  return new Date(now).getUTCFullYear() + 3;
}

export function brandOfEnding(last4: string): string {
  const number = Object.keys(TEST_CARDS).find((each) => each.endsWith(last4));
  return (number && brandOf(number)) ?? 'Card';
}

export function cardOnFile(last4: string, year: number): CardOnFile {
  return { brand: brandOfEnding(last4), last4, expiryMonth: 12, expiryYear: year };
}
