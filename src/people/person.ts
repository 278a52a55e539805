/** What is stored of one person, found by the e-mail address that was given with it. */
import * as z from 'zod/mini';
import { emailField } from '../platform/fields.ts';

/** The parameter's name keeps the address out of the access log. */
export const personQuery = z.object({ find: emailField() });

export const NOTHING_STORED = 'Nothing is stored under this address';

/** Of each kind, the newest are shown; a download holds them all. */
export const MOST_SHOWN = 50;

export interface PersonCounts {
  messages: number;
  chatMessages: number;
  orders: number;
  /** Cards and letters about them that were delivered lately, or wait to be. */
  notices: number;
}

export interface StoredItem {
  kind: 'message' | 'chat' | 'order' | 'notice';
  id: number;
  /** Of what a notice is about. */
  reference: string;
  at: string;
  /** As it was given; of a notice, null. */
  name: string | null;
  /** The beginning of the words, the order's plan, or who is told. */
  what: string;
  /** The mark of a message, the status of an order, the state of a delivery. */
  state: string;
}

/** Where there may be copies that this site cannot erase. */
export interface Elsewhere {
  teams: boolean;
  mail: boolean;
  /** Ids of customers at Stripe. */
  stripeCustomers: string[];
}

/** GET /api/admin/people?find={email}; the address as it was understood, the newest items first. */
export interface PersonJson {
  email: string;
  counts: PersonCounts;
  items: StoredItem[];
  /** Orders that still bring money, such as 'O-12': they must have ended before the person can be erased. */
  running: string[];
  elsewhere: Elsewhere;
}

const shownCount = () => z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1));

/** POST /api/admin/people/erase. The counts are those that were shown: more than that is not erased unseen. */
export const eraseRequest = z.strictObject({
  email: emailField(),
  messages: shownCount(),
  chatMessages: shownCount(),
  orders: shownCount(),
});
export type EraseRequest = z.infer<typeof eraseRequest>;

/** What was erased, by the numbers under which copies elsewhere can be found. */
export interface Erased {
  erased: string[];
  /** Orders that stay, without the person. */
  kept: string[];
  elsewhere: Elsewhere;
}
