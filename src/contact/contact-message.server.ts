/** Saves a contact message and notifies staff and, if it does not look like spam, the sender. */

import { attributionOf, saveAttribution } from '../attribution/attribution-store.server.ts';
import type { Company } from '../company/company.ts';
import { formatDateTime } from '../company/days.ts';
import { longDay, nextOpening, openUntil } from '../company/hours.ts';
import { CONTACT_CALLS } from '../limits.ts';
import { refuseWhenFull } from '../notifications/low-disk.server.ts';
import { SOMEONE_ENTERED } from '../notifications/mail.server.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { classifySpam } from '../platform/fields.ts';
import { refuseField } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { lockMailbox } from '../platform/message-limits.server.ts';
import { isoTime, MINUTE_MS } from '../platform/time.ts';
import { recordPath } from '../routes.ts';
import type { Site } from '../site.server.ts';
import type { ThreadStatus } from '../threads/thread.ts';
import { addEntry, beginThread } from '../threads/thread-store.server.ts';
import {
  CONTACT_FIELDS,
  CONTACT_LABELS,
  type ContactMessage,
  type ContactSubmission,
  contactReference,
  contactText,
  inquirySubject,
  SEND_CONTACT,
  serviceLabel,
  spamWarning,
  UNKNOWN_SERVICE,
} from './contact.ts';

export function receiveContactMessage(site: Site): Call {
  const { db, notify, company } = site;
  return call(
    SEND_CONTACT,
    { access: 'anyone', limit: CONTACT_CALLS },
    async ({ body, ...visit }) => {
      if (body.service !== null && serviceLabel(company, body.service) === undefined)
        return refuseField('service', UNKNOWN_SERVICE);
      const full = await refuseWhenFull(site);
      if (full) return full;
      const saved = await db.transaction().execute(async (trx) => {
        await lockMailbox(trx, body.email);
        const createdAt = Date.now();
        const repeated = await findRepeated(trx, body);
        if (repeated) return repeated;
        const status = classifySpam(body.message);
        const { message, ...thread } = body;
        const id = await beginThread(trx, { kind: 'contact', ...thread, status }, createdAt);
        await addEntry(trx, { threadId: id, kind: 'visitor', text: message, at: createdAt });
        await saveAttribution(trx, 'thread', id, visit);
        await notify(trx, contactReceived, id);
        return { ...body, id, status, createdAt };
      });
      const { status: _, createdAt, ...contact } = saved;
      return {
        contact: { ...contact, createdAt: isoTime(createdAt) },
        reference: contactReference(saved.id),
      };
    },
  );
}

export const contactReceived: NotificationKind<StoredSubmission> = {
  kind: 'contact-received',
  label: 'Message',
  find: (db, id) => submissions(db).where('threads.id', '=', id).executeTakeFirst(),
  reference: contactReference,
  topic: ({ id }) => `thread ${id}`,

  audiences: ({ status }) => (status === 'spam' ? ['staff'] : ['staff', 'customer']),

  limitedRecipient: ({ email }) => email,

  event: {
    type: 'message.received',
    async data({ id, status, ...message }, { db, company, publicUrl }) {
      return {
        reference: contactReference(id),
        ...Object.fromEntries(CONTACT_FIELDS.map((field) => [field, message[field]])),
        service: serviceLabel(company, message.service) ?? null,
        suspicious: status === 'spam',
        source: (await attributionOf(db, 'thread', id)) ?? null,
        url: `${publicUrl}${recordPath('inbox', id)}`,
      };
    },
  },

  staffMessage(submission, { company, publicUrl }) {
    const { id, name, email, message, status, createdAt } = submission;
    const number = contactReference(id);
    const facts = STORED_FIELDS.map((field): [string, string] => [
      CONTACT_LABELS[field],
      contactText(company, field, submission),
    ]);
    return {
      title: `New message ${number}`,
      ...spamWarning(status),
      facts: [...facts, ['Received', formatDateTime(company, createdAt)]],
      text: message,
      reply: { name, email, subject: inquirySubject(company, number) },
      staffUrl: `${publicUrl}${recordPath('inbox', id)}`,
    };
  },

  customerEmail({ id, email, createdAt }, _at, { company, isOwnAddress }) {
    if (isOwnAddress(email)) return undefined;
    const number = contactReference(id);
    return {
      to: email,
      subject: `We received your message (${number})`,
      heading: 'Message received',
      under: `Reference ${number}`,
      parts: [
        'Thank you for your message. We will get back to you soon.',
        ...opening(company, createdAt),
        {
          kind: 'words',
          words: [
            'Urgent? Call ',
            { label: company.phone.display, url: `tel:${company.phone.tel}` },
            ` during support hours and mention ${number}. To add something, reply to this email.`,
          ],
        },
      ],
      reason: SOMEONE_ENTERED,
    };
  },
};

/** When a closed desk opens. */
function opening({ hours }: Company, at: number): string[] {
  if (openUntil(hours, at)) return [];
  const { date, time } = nextOpening(hours, at);
  return [`Our support desk opens on ${longDay(date)}, at ${time}.`];
}

/** What the thread has of the message; its text is an entry. */
export const STORED_FIELDS = CONTACT_FIELDS.filter((field) => field !== 'message');

/** A message as the call returns it, plus its status. */
interface StoredSubmission extends Omit<ContactSubmission, 'createdAt'>, ContactMessage {
  status: ThreadStatus;
  createdAt: number;
}

function submissions(db: Db) {
  return db
    .selectFrom('threads')
    .innerJoin('entries', 'entries.threadId', 'threads.id')
    .where('threads.kind', '=', 'contact')
    .where('entries.kind', '=', 'visitor')
    .select(['threads.id', 'status', 'createdAt', 'entries.text as message', ...STORED_FIELDS])
    .$narrowType<{ name: string; email: string }>();
}

/** An identical message of the last minute: without script, two presses post the form twice. */
function findRepeated(trx: Db, message: ContactMessage): Promise<StoredSubmission | undefined> {
  let same = submissions(trx)
    .where('createdAt', '>', Date.now() - MINUTE_MS)
    .where('entries.text', '=', message.message);
  for (const field of STORED_FIELDS)
    same = same.where(field, 'is not distinct from', message[field]);
  return same.executeTakeFirst();
}
