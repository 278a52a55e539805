/** What the answers about a person look like. */
import * as z from 'zod/mini';
import { count, id, mark, time } from './answer-parts.ts';
import { orderFields } from './order-answer-shapes.ts';

const externalCopies = z.strictObject({
  teams: z.boolean(),
  mail: z.boolean(),
  stripeCustomers: z.array(z.string()),
});
export const person = z.strictObject({
  email: z.string(),
  counts: z.strictObject({
    messages: count,
    chatMessages: count,
    quotes: count,
    orders: count,
    requests: count,
    notices: count,
  }),
  items: z.array(
    z.strictObject({
      kind: z.enum(['message', 'chat', 'quote', 'order', 'request', 'notice']),
      id,
      reference: z.string(),
      at: time,
      name: z.nullable(z.string()),
      what: z.string(),
      state: z.string(),
    }),
  ),
  running: z.array(z.string()),
  externalCopies,
});
/** The file that holds everything. */
export const storedOfPerson = z.strictObject({
  email: z.string(),
  exportedAt: time,
  externalCopies,
  messages: z.array(
    z.strictObject({
      reference: z.string(),
      at: time,
      name: z.string(),
      email: z.string(),
      phone: z.nullable(z.string()),
      service: z.nullable(z.string()),
      message: z.string(),
      mark,
    }),
  ),
  chatMessages: z.array(
    z.strictObject({
      reference: z.string(),
      at: time,
      conversation: z.string(),
      name: z.nullable(z.string()),
      email: z.nullable(z.string()),
      message: z.string(),
      response: z.string(),
      mark,
    }),
  ),
  quotes: z.array(z.looseObject({ reference: z.string(), at: time, email: z.string() })),
  orders: z.array(z.looseObject({ ...orderFields, postalCode: z.nullable(z.string()) })),
  reports: z.array(z.looseObject({ reference: z.string(), at: time, email: z.string() })),
  linkRequests: z.array(z.looseObject({ reference: z.string(), at: time, email: z.string() })),
  notices: z.array(
    z.strictObject({
      about: z.string(),
      channel: z.string(),
      state: z.string(),
      at: time,
      settledAt: z.nullable(time),
      lastAnswer: z.nullable(z.string()),
    }),
  ),
});
export const erased = z.strictObject({
  erased: z.array(z.string()),
  kept: z.array(z.string()),
  externalCopies,
});
