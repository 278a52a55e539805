/** A contact message came in: staff read it, and its sender gets a confirmation. */
import { STAFF_PAGES } from '../admin/staff-pages.ts';
import { momentIn } from '../company/company-time.ts';
import { openingHours } from '../company/hours.ts';
import type { NotificationKind } from '../notify/notification-kind.server.ts';
import { contactReference, contactTopic } from './contact-message.ts';
import { countSubmissionsSince, findSubmission, type Submission } from './contact-store.server.ts';
import { inquirySubject, serviceLabel, suspicion } from './inquiry-words.ts';

/** How many confirmations one address gets in a day: it may have been typed by somebody else. */
const CONFIRMATIONS_A_DAY = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

export const contactReceived: NotificationKind<Submission> = {
  kind: 'contact-received',
  about: 'submissionId',
  find: findSubmission,
  reference: contactReference,
  topic: ({ id }) => contactTopic(id),

  async channels(db, { email, mark, createdAt }) {
    const confirm =
      mark !== 'spam' &&
      (await countSubmissionsSince(db, email, createdAt - DAY_MS)) <= CONFIRMATIONS_A_DAY;
    return ['teams', 'mail-staff', ...(confirm ? (['mail-customer'] as const) : [])];
  },

  staffMessage(
    { id, name, email, phone, service, message, mark, createdAt },
    { company, publicUrl },
  ) {
    const number = contactReference(id);
    return {
      title: `New message ${number}`,
      ...suspicion(mark),
      facts: [
        ['Name', name],
        ['Email', email],
        ['Phone', phone ?? 'Not provided'],
        ['Service', serviceLabel(service) ?? 'Not specified'],
        ['Received', momentIn(company, createdAt)],
      ],
      text: message,
      lines: [],
      reply: { name, email, subject: inquirySubject(company, number) },
      staffUrl: `${publicUrl}${STAFF_PAGES.inbox.path}?open=${id}`,
    };
  },

  customerEmail({ id, name, email }, _at, { company, publicUrl }) {
    const number = contactReference(id);
    return {
      to: email,
      name,
      subject: `We received your message (${number})`,
      heading: 'Thank you for your message',
      parts: [
        `We have your message, and its reference number is ${number}. We’ll get back to you soon.`,
        `Our support hours are ${openingHours(company.hours)}.`,
        `Urgent? Call ${company.phone.display} and mention this number. To add anything, reply to this email.`,
      ],
      footer: [
        `${company.legalName}, ${publicUrl}`,
        `You’re getting this email because someone entered this address on our website. If it wasn’t you, please ignore it.`,
      ],
    };
  },
};
