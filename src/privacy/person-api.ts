/** What is stored of one person, found by the email address that was given with it: the calls of staff. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { emailField } from '../platform/fields.ts';
import { fallback, list, moment, rowId } from '../platform/schema.ts';

export const NOTHING_STORED = 'Nothing is stored under this email address';

/** The parameter's name keeps the address out of the access log. */
export const personQuery = z.object({ find: emailField() });

const references = fallback(list(z.string()), []);

/** Copies that this site cannot erase. */
const externalCopies = fallback(
  z.object({
    teams: fallback(z.boolean(), false),
    mail: fallback(z.boolean(), false),
    stripeCustomers: references,
  }),
  { teams: false, mail: false, stripeCustomers: [] },
);
export type ExternalCopies = z.output<typeof externalCopies>;

const text = fallback(z.string(), '');

const storedItem = z.object({
  /** A request: for a report of the self-check, or for the links to orders. A notice: a card or an email about all these. */
  kind: z.enum(['message', 'chat', 'quote', 'order', 'request', 'notice']),
  id: rowId,
  /** Of what a notification is about. */
  reference: text,
  at: fallback(moment, ''),
  /** As it was given; null where none was. */
  name: fallback(z.nullable(z.string()), null),
  /** The beginning of a message, a plan, or who is notified. */
  what: text,
  /** The mark of a message, the status of an order, the state of a delivery. */
  state: text,
});
export type StoredItem = z.output<typeof storedItem>;

/** The address as it was understood, the newest items first. */
const person = z.object({
  email: z.string(),
  items: fallback(list(storedItem), []),
  /** Orders that still bring money, such as 'O-12': they must end before the person can be erased. */
  running: references,
  externalCopies,
});
export type Person = z.output<typeof person>;

/** By the numbers under which copies in other places can be found. */
const erased = z.object({
  erased: references,
  /** Orders that stay, without the person. */
  kept: references,
  externalCopies,
});
export type Erased = z.output<typeof erased>;

/** The query is a personQuery. */
export const FIND_PERSON = contract('GET /api/admin/people', { answer: person });
export const DOWNLOAD_PERSON = contract('GET /api/admin/people/download');
export const ERASE_PERSON = contract('POST /api/admin/people/erase', {
  body: z.strictObject({ email: emailField() }),
  answer: erased,
});
