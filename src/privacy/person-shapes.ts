/** What travels of a person: the bodies and answers of the calls. */
import * as z from 'zod/mini';
import { emailField } from '../platform/fields.ts';
import { count, moment, rowId } from '../platform/old/json-shapes.ts';
import { ITEM_KINDS } from './person.ts';

/** The parameter's name keeps the address out of the access log. */
export const personQuery = z.object({ find: emailField() });

export const personCounts = z.strictObject({
  messages: count,
  chatMessages: count,
  quotes: count,
  orders: count,
  /** Cards and emails about them that were delivered lately, or wait to be. */
  notices: count,
});

export type PersonCounts = z.output<typeof personCounts>;

const storedItem = z.strictObject({
  kind: z.enum(ITEM_KINDS),
  id: rowId,
  /** Of what a notification is about. */
  reference: z.string(),
  at: moment,
  /** As it was given; of a notification, null. */
  name: z.nullable(z.string()),
  /** The beginning of the words, the order's plan, or who is notified. */
  what: z.string(),
  /** The mark of a message, the status of an order, the state of a delivery. */
  state: z.string(),
});

export type StoredItem = z.output<typeof storedItem>;

/** Where there may be copies that this site cannot erase. */
const elsewhere = z.strictObject({
  teams: z.boolean(),
  mail: z.boolean(),
  /** Ids of customers at Stripe. */
  stripeCustomers: z.array(z.string()),
});

export type Elsewhere = z.output<typeof elsewhere>;

/** The address as it was understood, the newest items first. */
export const person = z.strictObject({
  email: z.string(),
  counts: personCounts,
  items: z.array(storedItem),
  /** Orders that still bring money, such as 'O-12': they must have ended before the person can be erased. */
  running: z.array(z.string()),
  elsewhere,
});

export type Person = z.output<typeof person>;

const shownCount = () => z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1));

/** The counts are those that were shown: more than that is not erased unseen. */
export const eraseRequest = z.strictObject({
  email: emailField(),
  messages: shownCount(),
  chatMessages: shownCount(),
  quotes: z._default(shownCount(), 0),
  orders: shownCount(),
});

export type EraseRequest = z.output<typeof eraseRequest>;

/** What was erased, by the numbers under which copies elsewhere can be found. */
export const erased = z.strictObject({
  erased: z.array(z.string()),
  /** Orders that stay, without the person. */
  kept: z.array(z.string()),
  elsewhere,
});

export type Erased = z.output<typeof erased>;
