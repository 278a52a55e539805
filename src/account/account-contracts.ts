/** What a customer sees and does on the page that a receipt's link opens. */

import type {
  accessRequest,
  account,
  addressRequest,
  cardEntry,
  cardRequest,
  changeRequest,
  linksAsked,
  linksRequest,
  preview,
  previewRequest,
} from '../orders/account-shapes.ts';
import type { tokenRequest } from '../orders/order-api.ts';
import type { Contract } from '../platform/old/contract.ts';

type Token = typeof tokenRequest;

export const GET_ACCOUNT: Contract<Token, typeof account> = 'POST /api/order-page/account';
/** A link that came by email admits this browser to changes. */
export const OPEN_ACCESS_LINK: Contract<typeof accessRequest, typeof account> =
  'POST /api/order-page/open';
export const PREVIEW_CHANGE: Contract<typeof previewRequest, typeof preview> =
  'POST /api/order-page/preview';
export const CHANGE_PLAN: Contract<typeof changeRequest, typeof account> =
  'POST /api/order-page/change';
/** Ends it with the month that is paid. */
export const CANCEL_PLAN: Contract<Token, typeof account> = 'POST /api/order-page/cancel';
export const KEEP_PLAN: Contract<Token, typeof account> = 'POST /api/order-page/keep';
export const START_CARD: Contract<Token, typeof cardEntry> = 'POST /api/order-page/card';
export const USE_CARD: Contract<typeof cardRequest, typeof account> =
  'POST /api/order-page/card/use';
export const SET_ADDRESS: Contract<typeof addressRequest, typeof account> =
  'POST /api/order-page/address';
/** The links to the orders of an email address go to that address. */
export const SEND_LINKS: Contract<typeof linksRequest, typeof linksAsked> =
  'POST /api/order-page/links';
