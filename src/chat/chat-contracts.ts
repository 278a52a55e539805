/** The chat's call. */
import type { Contract } from '../platform/old/contract.ts';
import type { chatAnswer, chatMessage } from './chat-message.ts';

export const SEND_CHAT: Contract<typeof chatMessage, typeof chatAnswer> = 'POST /api/teams-chat';
