/** What is stored of a person, as the screen reads it from an answer. */
import { fields, flag, id, list, number, oneOf, or, text, time } from '../platform/old/read.ts';
import { ITEM_KINDS } from './person.ts';
import type { Elsewhere, Erased, Person, PersonCounts, StoredItem } from './person-shapes.ts';

const references = or(list(text), []);

const readElsewhere = or(
  fields<Elsewhere>({ teams: or(flag, false), mail: or(flag, false), stripeCustomers: references }),
  { teams: false, mail: false, stripeCustomers: [] },
);

/** Without its counts nothing could be erased: the server wants to hear what was shown. */
export const readPerson = fields<Person>({
  email: text,
  counts: fields<PersonCounts>({
    messages: number,
    chatMessages: number,
    quotes: or(number, 0),
    orders: number,
    notices: or(number, 0),
  }),
  items: or(
    list(
      fields<StoredItem>({
        kind: oneOf(ITEM_KINDS),
        id,
        reference: or(text, ''),
        at: or(time, ''),
        name: or(text, null),
        what: or(text, ''),
        state: or(text, ''),
      }),
    ),
    [],
  ),
  running: references,
  elsewhere: readElsewhere,
});

export const readErased = fields<Erased>({
  erased: references,
  kept: references,
  elsewhere: readElsewhere,
});
