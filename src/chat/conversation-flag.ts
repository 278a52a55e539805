import { sharedFlag } from '../platform/browser/browser-storage.ts';

/** Whether this browser has a conversation, to which a cookie that no script reads leads. */
export const conversationFlag = sharedFlag('chat');
