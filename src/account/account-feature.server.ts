import type { Feature } from '../site.server.ts';
import { accountCalls } from './account-calls.server.ts';
import { deleteOldLinkRequests, lostLinkCalls, orderLinks } from './lost-link.server.ts';

export const accountFeature: Feature = {
  calls: [accountCalls, lostLinkCalls],
  intervals: [deleteOldLinkRequests],
  notifications: [orderLinks],
};
