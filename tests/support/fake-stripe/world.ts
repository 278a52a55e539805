/** The fake account's state: a table for each kind of object, the events and the clock. */
import { randomBytes } from 'node:crypto';
import type { Invoice, PendingItem, Schedule, Subscription } from './billing-objects.ts';
import { noSuch } from './errors.ts';
import type { StandInEvent } from './events.ts';
import type {
  Charge,
  Customer,
  Dispute,
  PaymentIntent,
  PaymentMethod,
  Product,
  Refund,
  SetupIntent,
} from './objects.ts';

/** A coupon on a subscription, in percent of the regular lines. */
interface Discount {
  id: string;
  percent: number;
  /** Off one bill alone. */
  once?: true;
}

/** Objects by id, in the order in which they were created. */
type Table<Row> = Map<string, Row>;

export class Tables {
  customer: Table<Customer> = new Map();
  product: Table<Product> = new Map();
  subscription: Table<Subscription> = new Map();
  subscription_schedule: Table<Schedule> = new Map();
  invoice: Table<Invoice> = new Map();
  invoiceitem: Table<PendingItem> = new Map();
  payment_intent: Table<PaymentIntent> = new Map();
  payment_method: Table<PaymentMethod> = new Map();
  charge: Table<Charge> = new Map();
  refund: Table<Refund> = new Map();
  dispute: Table<Dispute> = new Map();
  discount: Table<Discount> = new Map();
  setup_intent: Table<SetupIntent> = new Map();
}

export interface World extends Tables {
  events: StandInEvent[];
  /** Records an event, with a copy of the object. */
  emit(type: string, object: object): void;
  /** Unix seconds, as in Stripe's objects. */
  now(): number;
  /** The rate of automatic tax; Stripe would compute it from the customer's address. */
  taxPercent: number;
  /**
   * What its documents leave open is the other way: a subscription is in its trial before its first
   * invoice is paid, a card that was saved for it is not yet its own, and a preview of tax for a
   * place that is not known is answered, without the tax.
   */
  uncertain: boolean;
}

export const retrieve = <Row>(table: Table<Row>, id: string): Row => {
  const object = table.get(id);
  if (object === undefined) throw noSuch('object', id);
  return object;
};

export const filter = <Row>(table: Table<Row>, matches: (row: Row) => boolean): Row[] =>
  [...table.values()].filter(matches);

export const save = <Row extends { id: string }>(table: Table<Row>, row: Row): Row => {
  table.set(row.id, row);
  return row;
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');

export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;
