import { randomBytes } from 'node:crypto';
import type {
  Invoice,
  InvoiceLine,
  InvoicePayment,
  PendingItem,
  Subscription,
} from './billing-objects.ts';
import { noSuch } from './errors.ts';
import type { EventLog } from './event-log.ts';
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

export interface Rows {
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

export type Kind = keyof Rows;
export type Tables = { readonly [K in Kind]: Map<string, Rows[K]> };

export interface World {
  tables: Tables;
  log: EventLog;
  /** Unix seconds, as everywhere in Stripe's objects. */
  now(): number;
  /** Added by automatic tax; Stripe would compute it from the customer's place. */
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

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');

export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;

const tableOf = <K extends Kind>(world: World, kind: K): Map<string, Rows[K]> => world.tables[kind];

export const find = <K extends Kind>(world: World, kind: K, id: string): Rows[K] | undefined =>
  tableOf(world, kind).get(id);

/** Named by the address: 404 when it is not there. */
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

/** Named by a parameter: 400 when it is not there. */
export const refer = <K extends Kind>(world: World, kind: K, id: string, param: string): Rows[K] =>
  retrieve(world, kind, id, param, 400);

/** Those of a kind of which this holds, in the order of their making. */
export const rowsOf = <K extends Kind>(
  world: World,
  kind: K,
  holds: (row: Rows[K]) => boolean,
): Rows[K][] => [...tableOf(world, kind).values()].filter(holds);

export const save = <K extends Kind>(
  world: World,
  kind: K,
  row: Rows[K] & { id: string },
): Rows[K] => {
  tableOf(world, kind).set(row.id, row);
  return row;
};
