/** The state of the fake Stripe account: a table for each kind of object, the event log and the clock. */
import { randomBytes } from 'node:crypto';
import type {
  Invoice,
  InvoiceLine,
  InvoicePayment,
  PendingItem,
  Subscription,
} from './billing-objects.ts';
import { noSuch } from './errors.ts';
import type { EventLog } from './events.ts';
import type {
  Charge,
  Customer,
  Dispute,
  PaymentIntent,
  PaymentMethod,
  Price,
  Product,
  Refund,
  SetupIntent,
} from './objects.ts';

interface Objects {
  customer: Customer;
  product: Product;
  price: Price;
  subscription: Subscription;
  invoice: Invoice;
  invoice_line: InvoiceLine;
  invoice_payment: InvoicePayment;
  invoiceitem: PendingItem;
  payment_intent: PaymentIntent;
  payment_method: PaymentMethod;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  setup_intent: SetupIntent;
}

export type Kind = keyof Objects;

/** Objects by id, in the order in which they were created. */
type Tables = { [K in Kind]: Map<string, Objects[K]> };

export interface World {
  tables: Tables;
  log: EventLog;
  /** Unix seconds, as in Stripe's objects. */
  now(): number;
  /** The rate of automatic tax; Stripe would compute it from the customer's address. */
  taxPercent: number;
}

export const emptyTables = (): Tables => ({
  customer: new Map(),
  product: new Map(),
  price: new Map(),
  subscription: new Map(),
  invoice: new Map(),
  invoice_line: new Map(),
  invoice_payment: new Map(),
  invoiceitem: new Map(),
  payment_intent: new Map(),
  payment_method: new Map(),
  charge: new Map(),
  refund: new Map(),
  dispute: new Map(),
  setup_intent: new Map(),
});

export const find = <K extends Kind>(world: World, kind: K, id: string): Objects[K] | undefined =>
  world.tables[kind].get(id);

/** Finds the object of an id in the path; Stripe answers 404 when there is none. */
export const retrieve = <K extends Kind>(
  world: World,
  kind: K,
  id: string,
  param = 'id',
  status: 400 | 404 = 404,
): Objects[K] => {
  const object = find(world, kind, id);
  if (object === undefined) throw noSuch(kind, id, param, status);
  return object;
};

/** Finds the object of an id in a parameter; Stripe answers 400 when there is none. */
export const retrieveParam = <K extends Kind>(
  world: World,
  kind: K,
  id: string,
  param: string,
): Objects[K] => retrieve(world, kind, id, param, 400);

export const filter = <K extends Kind>(
  world: World,
  kind: K,
  matches: (object: Objects[K]) => boolean,
): Objects[K][] => [...world.tables[kind].values()].filter(matches);

export const save = <K extends Kind>(world: World, kind: K, object: Objects[K]): Objects[K] => {
  world.tables[kind].set(object.id, object);
  return object;
};

export const emit = (world: World, type: string, object: object): void =>
  world.log.record(type, object, world.now());

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');

export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;
