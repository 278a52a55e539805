import type { Feature } from '../site.server.ts';
import { accountCalls } from './account-calls.server.ts';
import { deleteOldLinkRequests, lostLinkCalls, orderLinks } from './lost-link.server.ts';
import { staffChangeCalls } from './staff-change.server.ts';

export const accountFeature: Feature = {
  calls: [accountCalls, lostLinkCalls, staffChangeCalls],
  intervals: [deleteOldLinkRequests],
  notifications: [orderLinks],
};
