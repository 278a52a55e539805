import type { Feature } from '../site.server.ts';
import { chatReceived, receiveChatMessage } from './chat-message.server.ts';
import { conversationCalls } from './conversation.server.ts';

export const chatFeature: Feature = {
  calls: [receiveChatMessage, conversationCalls],
  notifications: [chatReceived],
};
