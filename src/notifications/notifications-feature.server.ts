import type { Feature } from '../site.server.ts';
import { cleanOutbox } from './outbox.server.ts';
import { storageWarning } from './storage-warning.server.ts';

export const notificationsFeature: Feature = {
  intervals: [cleanOutbox],
  notifications: [storageWarning],
};
