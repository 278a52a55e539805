/** A chat message came in: staff read it in Teams, and by email when nobody is at the desk to see it there. */
import { STAFF_PAGES } from '../admin/staff-pages.ts';
import { isOpen } from '../company/business-hours.ts';
import { momentIn } from '../company/company-time.ts';
import { inquirySubject, suspicion } from '../contact/inquiry-words.ts';
import type { NotificationKind } from '../notify/notification-kind.server.ts';
import { chatReference, chatTopic } from './chat-message.ts';
import { type ChatMessage, findChatMessage } from './chat-store.server.ts';

export const chatReceived: NotificationKind<ChatMessage> = {
  kind: 'chat-received',
  about: 'chatMessageId',
  find: findChatMessage,
  reference: chatReference,
  topic: ({ conversation }) => chatTopic(conversation),

  channels(_db, { createdAt }, { hours, configured }) {
    // A site without Teams has nothing but the email, whatever the hour.
    const seenInTeams = configured.includes('teams') && isOpen(hours, createdAt);
    return ['teams', ...(seenInTeams ? [] : (['mail-staff'] as const))];
  },

  staffMessage({ id, name, email, message, mark, createdAt }, { company, publicUrl }) {
    const number = chatReference(id);
    return {
      title: `New chat message ${number}`,
      ...suspicion(mark),
      facts: [
        ['Name', name ?? 'Not provided'],
        ['Email', email ?? 'Not provided'],
        ['Received', momentIn(company, createdAt)],
      ],
      text: message,
      lines: [],
      reply: email === null ? null : { name, email, subject: inquirySubject(company, number) },
      staffUrl: `${publicUrl}${STAFF_PAGES.inbox.path}?list=conversations&open=${id}`,
    };
  },
};
