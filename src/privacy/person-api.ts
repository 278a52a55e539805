/** The calls with which staff find, download and erase what is stored under a person's email address. */
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
  /** 'request': for a self-check report, or for the links to orders. 'notice': a card or an email about any of the others. */
  kind: z.enum(['message', 'chat', 'quote', 'order', 'request', 'notice']),
  id: rowId,
  /** For a notice, the reference of what it is about. */
  reference: text,
  at: fallback(moment, ''),
  /** Null where none was given. */
  name: fallback(z.nullable(z.string()), null),
  /** The beginning of a message, the plan, or who gets a notice. */
  what: text,
  /** The mark of a message, the status of an order, the state of a delivery. */
  state: text,
});
export type StoredItem = z.output<typeof storedItem>;

/** `email` is the address as it was read; the newest items come first. */
const person = z.object({
  email: z.string(),
  items: fallback(list(storedItem), []),
  /** Orders that still bring money, such as 'O-12': they must end before the person can be erased. */
  running: references,
  externalCopies,
});
export type Person = z.output<typeof person>;

/** The references of what was erased, by which copies in other places can be found. */
const erased = z.object({
  erased: references,
  /** The orders that stay, without their buyer. */
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
