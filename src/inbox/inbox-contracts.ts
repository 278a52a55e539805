/** What staff ask of the inbox. */
import type { Contract } from '../platform/contract.ts';
import type {
  conversations,
  inboxCounts,
  markRequest,
  submission,
  submissions,
  wholeConversation,
} from './inbox-shapes.ts';

/** Both lists take the parameters of an InboxFilter; contacts without a page are the WHOLE_LIST. */
export const LIST_CONTACTS: Contract<null, typeof submissions> = 'GET /api/admin/contacts';
export const GET_CONTACT: Contract<null, typeof submission> = 'GET /api/admin/contacts/:id';
export const MARK_CONTACT: Contract<typeof markRequest, typeof submission> =
  'POST /api/admin/contacts/:id/mark';
export const LIST_CONVERSATIONS: Contract<null, typeof conversations> =
  'GET /api/admin/conversations';
export const GET_CONVERSATION: Contract<null, typeof wholeConversation> =
  'GET /api/admin/conversations/:id';
export const MARK_CONVERSATION: Contract<typeof markRequest, typeof wholeConversation> =
  'POST /api/admin/conversations/:id/mark';
export const COUNT_INBOX: Contract<null, typeof inboxCounts> = 'GET /api/admin/inbox/counts';
