import type { Feature } from '../site.server.ts';
import { contactReceived, receiveContactMessage } from './contact-message.server.ts';

export const contactFeature: Feature = {
  calls: [receiveContactMessage],
  notifications: [contactReceived],
};
