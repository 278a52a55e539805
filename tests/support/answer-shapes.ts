/** What the answers of the API look like to somebody who has only its documentation: no more and no less. */
import * as z from 'zod/mini';
import { count, dollars, id, mark, marks, time } from './answer-parts.ts';

export const refusal = z.strictObject({
  message: z.string().check(z.minLength(1)),
  errors: z.optional(
    z.array(z.strictObject({ path: z.string(), message: z.string().check(z.minLength(1)) })),
  ),
});

const features = z.array(z.string());

export const openApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.looseObject({})),
  components: z.looseObject({}),
});

export const services = z.array(
  z.strictObject({
    id,
    name: z.string(),
    description: z.string(),
    shortDescription: z.string(),
    price: dollars,
    priceType: z.string(),
    image: z.string(),
    features,
  }),
);
export const solutions = z.array(
  z.strictObject({
    id,
    name: z.string(),
    description: z.string(),
    industry: z.string(),
    image: z.string(),
    features,
  }),
);
export const plans = z.array(
  z.strictObject({
    id,
    name: z.string(),
    description: z.string(),
    price: dollars,
    popular: z.boolean(),
    features,
  }),
);
export const updatedPlans = z.strictObject({ success: z.literal(true), updated: count });

const contact = {
  id,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  service: z.nullable(z.string()),
  message: z.string(),
  createdAt: time,
};
export const contactReceived = z.strictObject({
  contact: z.strictObject(contact),
  reference: z.string(),
});
export const submission = z.strictObject({ ...contact, reference: z.string(), mark });
export const submissions = z.array(submission);
export const chatAnswer = z.strictObject({
  response: z.string(),
  reference: z.string(),
});
const conversationRow = {
  id,
  reference: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  messages: id,
  lastMessage: z.string(),
  mark,
  lastAt: time,
};
export const conversations = z.array(z.strictObject(conversationRow));
export const conversation = z.strictObject({
  ...conversationRow,
  thread: z.array(
    z.strictObject({
      id,
      reference: z.string(),
      message: z.string(),
      response: z.string(),
      at: time,
    }),
  ),
});
export const inboxCounts = z.strictObject({ contacts: marks, conversations: marks });

export const who = z.strictObject({ username: z.string() });
export const sessions = z.array(
  z.strictObject({
    key: z.string(),
    signedInAt: time,
    lastSeenAt: time,
    address: z.string(),
    userAgent: z.string(),
    current: z.boolean(),
  }),
);
export const endedSessions = z.strictObject({ ended: count });
export const anything = z.unknown();
export const audit = z.strictObject({
  total: count,
  entries: z.array(
    z.strictObject({
      id,
      at: time,
      kind: z.string(),
      username: z.string(),
      address: z.string(),
      detail: z.string(),
    }),
  ),
});
export const outbox = z.strictObject({
  deliveries: z.array(
    z.strictObject({
      id,
      channel: z.enum(['teams', 'mail-staff', 'mail-customer']),
      kind: z.string(),
      reference: z.string(),
      state: z.enum(['waiting', 'set aside']),
      tries: count,
      nextTryAt: z.nullable(time),
      lastAnswer: z.nullable(z.string()),
      createdAt: time,
    }),
  ),
  waiting: count,
  setAside: count,
});
/** Not JSON. */
export const otherThanJson = z.null();
