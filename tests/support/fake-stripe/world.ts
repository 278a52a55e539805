import { randomBytes } from 'node:crypto';
import { noSuch } from './errors.ts';
import type { EventLog } from './event-log.ts';
import type { Customer, Price, Product } from './objects-catalogue.ts';
import type { Invoice, InvoicePayment } from './objects-invoice.ts';
import type { Charge, PaymentIntent, PaymentMethod } from './objects-payment.ts';
import type { Dispute, Refund } from './objects-reversal.ts';
import type { Subscription } from './objects-subscription.ts';

interface PortalSession {
  id: string;
  object: 'billing_portal.session';
  configuration: string;
  created: number;
  customer: string;
  customer_account: null;
  flow: null;
  livemode: false;
  locale: string | null;
  on_behalf_of: null;
  return_url: string | null;
  url: string;
}

export interface WebhookEndpointSetting {
  url: string;
  enabledEvents?: string[];
  /** Null is the account's default. */
  apiVersion?: string | null;
  /** 'enabled' by default. */
  status?: 'disabled' | 'enabled';
}

export interface Tables {
  customer: Map<string, Customer>;
  product: Map<string, Product>;
  price: Map<string, Price>;
  subscription: Map<string, Subscription>;
  invoice: Map<string, Invoice>;
  invoice_payment: Map<string, InvoicePayment>;
  payment_intent: Map<string, PaymentIntent>;
  payment_method: Map<string, PaymentMethod>;
  charge: Map<string, Charge>;
  refund: Map<string, Refund>;
  dispute: Map<string, Dispute>;
  portal_session: Map<string, PortalSession>;
}

export type Kind = keyof Tables;
type Row<K extends Kind> = Tables[K] extends Map<string, infer T> ? T : never;

export interface World {
  tables: Tables;
  log: EventLog;
  /** Unix seconds, as everywhere in Stripe's objects. */
  now(): number;
  accountId: string;
  /** Added by automatic tax; Stripe would compute it from the customer's place. */
  taxPercent: number;
  webhookEndpoints: WebhookEndpointSetting[];
  /** In which events are listed and fetched, whatever version is asked for. */
  accountVersion: string;
  /** The API request being executed, which Stripe names in the events it causes. */
  request: { id: string; idempotency_key: string | null } | null;
}

export const emptyTables = (): Tables => ({
  customer: new Map(),
  product: new Map(),
  price: new Map(),
  subscription: new Map(),
  invoice: new Map(),
  invoice_payment: new Map(),
  payment_intent: new Map(),
  payment_method: new Map(),
  charge: new Map(),
  refund: new Map(),
  dispute: new Map(),
  portal_session: new Map(),
});

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');

export const newId = (prefix: string): string =>
  `${prefix}_${randomText(prefix === 'cus' || prefix === 'prod' ? 14 : 24)}`;

export const find = <K extends Kind>(world: World, kind: K, id: string): Row<K> | undefined =>
  (world.tables[kind] as Map<string, Row<K>>).get(id);

const wordFor = (kind: Kind): string => (kind === 'payment_method' ? 'PaymentMethod' : kind);

/** Named by the address: 404 when it is not there. */
export const retrieve = <K extends Kind>(
  world: World,
  kind: K,
  id: string,
  param = 'id',
): Row<K> => {
  const row = find(world, kind, id);
  if (row === undefined) throw noSuch(wordFor(kind), id, param);
  return row;
};

/** Named by a parameter: 400 when it is not there. */
export const refer = <K extends Kind>(world: World, kind: K, id: string, param: string): Row<K> => {
  const row = find(world, kind, id);
  if (row === undefined) throw noSuch(wordFor(kind), id, param, 400);
  return row;
};

export const save = <K extends Kind>(
  world: World,
  kind: K,
  row: Row<K> & { id: string },
): Row<K> => {
  (world.tables[kind] as Map<string, Row<K>>).set(row.id, row);
  return row;
};

export const patchMetadata = (
  current: Record<string, string>,
  patch: Record<string, string> | null | undefined,
): Record<string, string> => {
  if (patch === undefined) return current;
  if (patch === null) return {};
  return Object.fromEntries(
    Object.entries({ ...current, ...patch }).filter(([, value]) => value !== ''),
  );
};
