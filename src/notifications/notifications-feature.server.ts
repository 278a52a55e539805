import type { Feature } from '../site.server.ts';
import { serviceFailed } from './faults.server.ts';
import { diskLow, watchDisk } from './low-disk.server.ts';
import { nightlyCopy } from './nightly-copy.server.ts';
import { cleanOutbox } from './outbox.server.ts';

export const notificationsFeature: Feature = {
  intervals: [cleanOutbox, ({ outbox }) => outbox.faults.interval, watchDisk, nightlyCopy],
  notifications: [diskLow, serviceFailed],
};
