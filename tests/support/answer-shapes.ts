/** What the answers of the API look like to somebody who has only its documentation: no more and no less. */
import * as z from 'zod/mini';

export const refusal = z.strictObject({
  message: z.string().check(z.minLength(1)),
  errors: z.optional(
    z.array(z.strictObject({ path: z.string(), message: z.string().check(z.minLength(1)) })),
  ),
});

const dollars = z.number().check(z.minimum(0));
const count = z.int().check(z.minimum(0));
const id = z.int().check(z.minimum(1));
const time = z.iso.datetime();
const features = z.array(z.string());
const mark = z.enum(['new', 'answered', 'spam']);
const marks = z.strictObject({ new: count, answered: count, spam: count });

export const page = z.looseObject({ name: z.string(), path: z.string(), title: z.string() });

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

export const startedPayment = z.strictObject({
  clientSecret: z.string(),
  orderId: id,
  amount: dollars,
});
const orderFields = {
  id,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  planId: id,
  paymentMethod: z.literal('credit_card'),
  ms365Option: z.enum(['none', 'business_standard', 'business_premium', 'e3']),
  ms365Users: count,
  includeCloudBackup: z.boolean(),
  status: z.enum(['pending', 'processing', 'paid', 'failed', 'canceled', 'past_due', 'refunded']),
  amount: dollars,
  tax: dollars,
  paymentId: z.nullable(z.string()),
  createdAt: time,
  planName: z.string(),
  lines: z.array(
    z.strictObject({
      kind: z.enum(['plan', 'microsoft365', 'backup']),
      label: z.string(),
      unitPrice: dollars,
      quantity: count,
      amount: dollars,
    }),
  ),
  refunded: dollars,
  endsAt: z.nullable(time),
};
const dispute = z.nullable(z.enum(['open', 'won', 'lost']));
const ownersOrder = z.strictObject(orderFields);
const staffsOrder = z.strictObject({
  ...orderFields,
  dispute,
  history: z.array(z.strictObject({ status: z.string(), at: time, cause: z.string() })),
  notes: z.array(z.strictObject({ at: time, note: z.string() })),
  providerPage: z.nullable(z.string()),
});
/** As its owner sees it, or as staff do. */
export const order = z.union([ownersOrder, staffsOrder]);
export const orders = z.strictObject({
  orders: z.array(z.strictObject({ ...orderFields, dispute })),
  total: count,
  counts: z.record(z.string(), count),
});
export const paymentHealth = z.strictObject({
  provider: z.enum(['test', 'stripe']),
  mode: z.enum(['test', 'live']),
  lastEvent: z.nullable(z.strictObject({ type: z.string(), at: time })),
  waiting: count,
});
export const healthChecks = z.array(
  z.strictObject({ what: z.string(), ok: z.boolean(), detail: z.string() }),
);
export const testPayment = z.strictObject({
  status: z.enum(['requires_payment_method', 'requires_action', 'succeeded']),
  message: z.optional(z.string()),
});
export const paymentConfig = z.strictObject({ provider: z.literal('test') });

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
  conversation: z.uuid(),
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

const elsewhere = z.strictObject({
  teams: z.boolean(),
  mail: z.boolean(),
  stripeCustomers: z.array(z.string()),
});
export const person = z.strictObject({
  email: z.string(),
  counts: z.strictObject({ messages: count, chatMessages: count, orders: count, notices: count }),
  items: z.array(
    z.strictObject({
      kind: z.enum(['message', 'chat', 'order', 'notice']),
      id,
      reference: z.string(),
      at: time,
      name: z.nullable(z.string()),
      what: z.string(),
      state: z.string(),
    }),
  ),
  running: z.array(z.string()),
  elsewhere,
});
/** The file that holds everything. */
export const storedOfPerson = z.strictObject({
  email: z.string(),
  exportedAt: time,
  elsewhere,
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
  orders: z.array(z.looseObject({ ...orderFields, postalCode: z.nullable(z.string()) })),
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
  elsewhere,
});

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
