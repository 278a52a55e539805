import type { Feature } from '../site.server.ts';
import { detailsCalls } from './details-calls.server.ts';
import { emailChangedFrom, emailChangedTo, emailToConfirm } from './email-change-mails.server.ts';
import { deleteOldLinkRequests, lostLinkCalls, orderLinks } from './lost-link.server.ts';
import { ownPageCalls } from './own-page-calls.server.ts';

export const ownPageFeature: Feature = {
  calls: [ownPageCalls, lostLinkCalls, detailsCalls],
  intervals: [deleteOldLinkRequests],
  notifications: [orderLinks, emailToConfirm, emailChangedFrom, emailChangedTo],
};
