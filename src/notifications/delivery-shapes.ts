/** What travels of a delivery: the answers of the outbox's calls. */
import * as z from 'zod/mini';
import { count, moment, rowId } from '../platform/old/json-shapes.ts';
import { CHANNELS, DELIVERY_STATES } from './delivery.ts';

export const delivery = z.strictObject({
  id: rowId,
  channel: z.enum(CHANNELS),
  kind: z.string(),
  reference: z.string(),
  state: z.enum(DELIVERY_STATES),
  tries: count,
  /** Null once it is set aside. */
  nextTryAt: z.nullable(moment),
  lastAnswer: z.nullable(z.string()),
  createdAt: moment,
});

export type Delivery = z.output<typeof delivery>;

export const openDeliveries = z.strictObject({
  /** Those that are not accepted yet: set aside first, staff's own before customers', then the newest; at most 200. */
  deliveries: z.array(delivery),
  waiting: count,
  setAside: count,
});

export type OpenDeliveries = z.output<typeof openDeliveries>;
