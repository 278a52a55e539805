/** The outbox's answers as the screen reads them. */
import { fields, id, list, number, or, text, time } from '../platform/old/read.ts';
import type { Delivery, OpenDeliveries } from './delivery-shapes.ts';

/** Channel, kind and state may be ones that this version does not know. */
export type ReadDelivery = Omit<Delivery, 'channel' | 'state'> &
  Record<'channel' | 'state', string>;

const said = or(text, '');

export const readDelivery = fields<ReadDelivery>({
  id,
  channel: said,
  kind: said,
  reference: said,
  state: said,
  tries: or(number, 0),
  nextTryAt: or(time, null),
  lastAnswer: or(text, null),
  createdAt: said,
});

export const readOutbox = fields<
  Omit<OpenDeliveries, 'deliveries'> & { deliveries: ReadDelivery[] }
>({
  deliveries: list(readDelivery),
  waiting: or(number, 0),
  setAside: or(number, 0),
});
