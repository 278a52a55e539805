/** What customers ask for on the page of their order, and about its link. */
import type { Generated } from 'kysely';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    orderChanges: OrderChangeTable;
    orderLinkRequests: OrderLinkRequestTable;
  }
}

/** What a customer has asked for, stored before the provider is asked; each once for its key. */
interface OrderChangeTable {
  id: Generated<number>;
  orderId: number;
  key: string;
  what: 'plan' | 'card';
  /** JSON of `PriceLine[]`; of a card, of its words. */
  before: string;
  after: string;
  /** From when it counts. */
  at: number;
  state: 'asked' | 'done' | 'refused';
  /** When the provider had made it, by the provider's clock in whole seconds. */
  madeAt: number | null;
}

/** Somebody asked for the links of an address; kept for a day. */
interface OrderLinkRequestTable {
  id: Generated<number>;
  email: string;
  at: number;
}
