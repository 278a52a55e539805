/** All that Stripe keeps, by kind and id. */
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

export const emptyTables = () => ({
  customer: new Map<string, Customer>(),
  product: new Map<string, Product>(),
  price: new Map<string, Price>(),
  subscription: new Map<string, Subscription>(),
  invoice: new Map<string, Invoice>(),
  invoice_line: new Map<string, InvoiceLine>(),
  invoice_payment: new Map<string, InvoicePayment>(),
  invoiceitem: new Map<string, PendingItem>(),
  payment_intent: new Map<string, PaymentIntent>(),
  payment_method: new Map<string, PaymentMethod>(),
  charge: new Map<string, Charge>(),
  refund: new Map<string, Refund>(),
  dispute: new Map<string, Dispute>(),
  setup_intent: new Map<string, SetupIntent>(),
});

type Tables = ReturnType<typeof emptyTables>;
export type Kind = keyof Tables;
export type Rows = { [K in Kind]: Tables[K] extends Map<string, infer Row> ? Row : never };

export interface World {
  tables: { readonly [K in Kind]: Map<string, Rows[K]> };
  log: EventLog;
  /** Unix seconds, as everywhere in Stripe's objects. */
  now(): number;
  /** Added by automatic tax; Stripe would compute it from the customer's place. */
  taxPercent: number;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');

export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;

const tableOf = <K extends Kind>(world: World, kind: K): Map<string, Rows[K]> => world.tables[kind];

export const find = <K extends Kind>(world: World, kind: K, id: string): Rows[K] | undefined =>
  tableOf(world, kind).get(id);

/** The row with this id; when there is none, Stripe answers 404 for an id in the address. */
export const retrieve = <K extends Kind>(
  world: World,
  kind: K,
  id: string,
  param = 'id',
  status: 400 | 404 = 404,
): Rows[K] => {
  const row = find(world, kind, id);
  if (row === undefined) throw noSuch(kind, id, param, status);
  return row;
};

/** The same for an id in a parameter, for which Stripe answers 400. */
export const refer = <K extends Kind>(world: World, kind: K, id: string, param: string): Rows[K] =>
  retrieve(world, kind, id, param, 400);

/** The rows of a kind that pass the test, oldest first. */
export const rowsOf = <K extends Kind>(
  world: World,
  kind: K,
  passes: (row: Rows[K]) => boolean,
): Rows[K][] => [...tableOf(world, kind).values()].filter(passes);

export const save = <K extends Kind>(
  world: World,
  kind: K,
  row: Rows[K] & { id: string },
): Rows[K] => {
  tableOf(world, kind).set(row.id, row);
  return row;
};

export const emit = (world: World, type: string, object: object): void =>
  world.log.record(type, object, world.now());
