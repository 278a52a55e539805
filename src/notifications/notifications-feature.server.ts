import type { Feature } from '../site.server.ts';
import { serviceFailed } from './faults.server.ts';
import { cleanOutbox } from './outbox.server.ts';
import { storageWarning } from './storage-warning.server.ts';

export const notificationsFeature: Feature = {
  intervals: [cleanOutbox, ({ outbox }) => outbox.faults.interval],
  notifications: [storageWarning, serviceFailed],
};
