/** Mails staff's answer unless a panel has shown it, and notifies colleagues of it. */
import { chatReference } from '../chat/chat.ts';
import type { Company } from '../company/company.ts';
import { formatDateTime } from '../company/days.ts';
import { openUntil } from '../company/hours.ts';
import { contactReference, inquirySubject } from '../contact/contact.ts';
import type { EmailPart, NotificationKind } from '../notifications/notification.server.ts';
import { channelsOf } from '../notifications/outbox-api.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { firstName } from '../platform/fields.ts';
import { recordPath } from '../routes.ts';
import { accountNames } from '../staff/account-store.server.ts';
import { SHOWN_WITHIN_MS, WATCHED_MS } from '../threads/thread.ts';
import { visitorMessages } from '../threads/thread-store.server.ts';

interface Answer extends Pick<Row<'threads'>, 'kind' | 'name' | 'email'> {
  /** Whether a panel that can show it is open. */
  watched: boolean;
  id: number;
  threadId: number;
  /** As colleagues and the visitor read it. */
  author: string;
  publicName: string;
  text: string;
  at: number;
  seenAt: number | null;
  /** The thread's. */
  reference: string;
  /** What it answers. */
  answered: { text: string; at: number } | undefined;
}

/** The `data` of an answer whose email has failed: staff dismiss that, or it is old and deleted. */
export const NOT_DELIVERED = JSON.stringify('not delivered');

/** So many entries are looked at to quote what is answered. */
const MAX_ANSWERED = 20;
/** An open panel may close without having shown the answer. */
const LOOK_EVERY_MS = 5_000;

export const threadAnswered: NotificationKind<Answer> = {
  kind: 'thread-answered',
  label: 'Answer',
  isShownWithRecord: true,
  find: findAnswer,
  reference: (id) => `A-${id}`,
  topic: ({ threadId }) => `thread ${threadId}`,

  audiences: ({ email }) => (email === null ? ['staff'] : ['staff', 'customer']),

  isSeenAtOnce: ({ at }, hours) => openUntil(hours, at) !== undefined,

  notBefore({ at, watched }, audience) {
    if (!watched || audience !== 'customer') return at;
    return Math.max(at, Math.min(at + SHOWN_WITHIN_MS, Date.now() + LOOK_EVERY_MS));
  },

  async settled({ db }, { channel, subjectId }, isAccepted) {
    if (!channelsOf('customer').includes(channel)) return;
    const data = isAccepted ? null : NOT_DELIVERED;
    await db.updateTable('entries').set({ data }).where('id', '=', subjectId).execute();
  },

  staffMessage({ threadId, author, reference, name, email, text }, { publicUrl }) {
    return {
      title: `${author} answered ${reference}`,
      facts: [
        ['Name', name ?? 'Not provided'],
        ['Email', email ?? 'Not provided'],
      ],
      text,
      reply: null,
      staffUrl: `${publicUrl}${recordPath('inbox', threadId)}`,
    };
  },

  customerEmail({ name, publicName, reference, email, text, seenAt, answered }, _at, { company }) {
    if (email === null || seenAt !== null) return undefined;
    const subject = inquirySubject(company, reference);
    const phone = company.phone.display;
    return {
      to: email,
      subject,
      parts: [
        text,
        publicName
          ? { kind: 'signature', name: firstName(publicName), text: `${company.name}\n${phone}` }
          : { kind: 'signature', name: company.supportName, text: phone },
        ...(answered
          ? [quoted(answered, `${name ?? ''} <${email}>`.trim(), subject, company)]
          : []),
      ],
    };
  },
};

/** As Outlook writes it. */
function quoted(
  { text, at }: NonNullable<Answer['answered']>,
  from: string,
  subject: string,
  company: Company,
): EmailPart {
  const head: [string, string][] = [
    ['From', from],
    ['Sent', formatDateTime(company, at)],
    ['To', company.name],
    ['Subject', subject.replace(/^Re: /, '')],
  ];
  return { kind: 'quote', head, text };
}

async function findAnswer(db: Db, id: number): Promise<Answer | undefined> {
  const answer = await db
    .selectFrom('entries')
    .innerJoin('threads', 'threads.id', 'entries.threadId')
    .select(['entries.id', 'threadId', 'authorId', 'text', 'at', 'seenAt', 'recipient as email'])
    .select(['threads.kind', 'name', 'watchedAt', 'endedAt'])
    .where('entries.id', '=', id)
    .executeTakeFirst();
  if (!answer) return undefined;
  const { threadId, kind, watchedAt, endedAt } = answer;
  const last = (await visitorMessages(db, [threadId])).get(threadId);
  const names = await accountNames(db, [answer.authorId]);
  return {
    ...answer,
    author: names.name(answer.authorId) ?? '',
    publicName: names.publicName(answer.authorId),
    watched: endedAt === null && Date.now() - (watchedAt ?? 0) < WATCHED_MS,
    reference: threadReference({ id: threadId, kind }, last?.first),
    answered: await messagesBefore(db, answer),
  };
}

/** What the visitor had written since the answer before; if nothing, their message before that. */
async function messagesBefore(db: Db, { id, threadId }: Pick<Answer, 'id' | 'threadId'>) {
  const before = await db
    .selectFrom('entries')
    .select(['kind', 'text', 'at'])
    .where('threadId', '=', threadId)
    .where('id', '<', id)
    .where('kind', 'in', ['visitor', 'staff'])
    .orderBy('id', 'desc')
    .limit(MAX_ANSWERED)
    .execute();
  const newest = before.findIndex(({ kind }) => kind === 'visitor');
  const written = before.slice(newest < 0 ? before.length : newest);
  const end = written.findIndex(({ kind }) => kind === 'staff');
  const messages = written.slice(0, end < 0 ? undefined : end).reverse();
  const [first] = messages;
  return first && { at: first.at, text: messages.map(({ text }) => text).join('\n\n') };
}

/** The number that the visitor was given: of the contact or the first chat message. */
export function threadReference(
  { id, kind }: Pick<Row<'threads'>, 'id' | 'kind'>,
  firstMessageId = 0,
): string {
  return kind === 'contact' ? contactReference(id) : chatReference(firstMessageId);
}
