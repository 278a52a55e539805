/** The calls with which staff find, download and erase the data stored under an email address. */
import * as z from 'zod/mini';
import { providerCustomer } from '../orders/order-api.ts';
import { contract } from '../platform/contract.ts';
import { emailField } from '../platform/fields.ts';
import { fallback, list, rowId, text, textOrNull, timestamp } from '../platform/schema.ts';

export const NOTHING_STORED = 'Nothing is stored under this email address';

/** The access log redacts a parameter of this name. */
export const personQuery = z.object({ find: emailField() });

const references = fallback(list(z.string()), []);

/** Copies that this site cannot erase. */
const externalCopies = fallback(
  z.object({
    /** Where messages are kept: of CHANNELS. */
    channels: fallback(list(z.string()), []),
    providerCustomers: fallback(list(providerCustomer), []),
  }),
  { channels: [], providerCustomers: [] },
);
export type ExternalCopies = z.output<typeof externalCopies>;

const storedItem = z.object({
  /**
   * 'request': a report or links by email. 'billing': papers of another's order go there, too.
   * 'email': in another's thread. 'notice': a notification about anything else.
   */
  kind: z.enum(['message', 'chat', 'quote', 'order', 'request', 'billing', 'email', 'notice']),
  /** For staff's list that shows it: of a chat message, its thread. */
  id: rowId,
  /** For a notice, the reference of the item it is about. */
  reference: text,
  at: fallback(timestamp, ''),
  /** Null if none was given. */
  name: textOrNull,
  /** The start of a message, the plan, or the receiver of a notice. */
  what: text,
  /** The status of a message or an order, the state of a delivery, as its page has it. */
  state: text,
});
export type StoredItem = z.output<typeof storedItem>;

export const KIND_LABELS: Record<StoredItem['kind'], string> = {
  message: 'Contact message',
  chat: 'Chat message',
  quote: 'Quote',
  order: 'Order',
  request: 'Email request',
  billing: 'Billing contact',
  email: 'Email message',
  notice: 'Notice',
};

const person = z.object({
  email: z.string(),
  items: fallback(list(storedItem), []),
  /** Active orders, which must end before the person can be erased. */
  running: fallback(list(z.object({ id: rowId, reference: z.string() })), []),
  externalCopies,
});
export type Person = z.output<typeof person>;

/** References, with which staff find copies outside this site. */
const erased = z.object({
  erased: references,
  /** Orders that were anonymized, and what others have, without the person. */
  kept: references,
  externalCopies,
});
export type Erased = z.output<typeof erased>;

/** The query of both is a personQuery. */
export const FIND_PERSON = contract('GET /api/admin/people', { answer: person });
export const DOWNLOAD_PERSON = contract('GET /api/admin/people/download');
export const ERASE_PERSON = contract('POST /api/admin/people/erase', {
  body: z.strictObject({ email: emailField() }),
  answer: erased,
});
