import type { Feature } from '../site.server.ts';
import { accountCalls } from './account-calls.server.ts';
import { detailsCalls } from './details-calls.server.ts';
import { emailChangedFrom, emailChangedTo, emailToConfirm } from './email-change-mails.server.ts';
import { deleteOldLinkRequests, lostLinkCalls, orderLinks } from './lost-link.server.ts';

export const accountFeature: Feature = {
  calls: [accountCalls, lostLinkCalls, detailsCalls],
  intervals: [deleteOldLinkRequests],
  notifications: [orderLinks, emailToConfirm, emailChangedFrom, emailChangedTo],
};
