import type { Feature } from '../site.server.ts';
import { accountCalls } from './account-calls.server.ts';
import { detailsCalls } from './details-calls.server.ts';
import { emailChangedFrom, emailChangedTo, emailToConfirm } from './email-change-mails.server.ts';
import { deleteOldLinkRequests, lostLinkCalls, orderLinks } from './lost-link.server.ts';
import { staffChangeCalls } from './staff-change.server.ts';

export const accountFeature: Feature = {
  calls: [accountCalls, lostLinkCalls, staffChangeCalls, detailsCalls],
  intervals: [deleteOldLinkRequests],
  notifications: [orderLinks, emailToConfirm, emailChangedFrom, emailChangedTo],
};
