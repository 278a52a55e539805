/** A thread as staff see it: in the list, and open with its entries and its person. */

import type * as z from 'zod/mini';
import { sourceOf } from '../attribution/attribution-store.server.ts';
import { chatReference } from '../chat/chat.ts';
import { CHAT_SECONDS, MAX_THREAD } from '../limits.ts';
import { channelsOf } from '../notifications/outbox-api.ts';
import { findDeliveries } from '../notifications/outbox-store.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import type { Staff } from '../platform/http/call.server.ts';
import { isoTime, isoTimeOrNull } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { accountNames } from '../staff/account-store.server.ts';
import { SHOWN_KINDS, type ThreadKind } from '../threads/thread.ts';
import { findThread, visitorMessages } from '../threads/thread-store.server.ts';
import { entryText } from './entry-text.server.ts';
import type { Entry, GET_THREAD, Thread } from './inbox-api.ts';
import { findRelated } from './related.server.ts';
import { NOT_DELIVERED, threadAnswered, threadReference } from './thread-answered.server.ts';
import { listUndelivered } from './undelivered.server.ts';

export async function threadsJson(
  db: Db,
  threads: Row<'threads'>[],
  { accountId }: Staff,
): Promise<Thread[]> {
  const assignees = threads.map(({ assigneeId }) => assigneeId);
  const names = await accountNames(db, assignees);
  const ids = threads.map(({ id }) => id);
  const last = await visitorMessages(db, ids);
  const undelivered = await listUndelivered(db, ids);
  return threads.map((thread) => {
    const { id, kind, phone, service, status, assigneeId, createdAt, lastAt, waitsSince } = thread;
    const message = last.get(id);
    const missing = undelivered.find(({ threadId }) => threadId === id);
    return {
      ...{ id, kind, phone, service, status },
      assignee: names.name(assigneeId),
      mine: assigneeId === accountId,
      name: thread.name ?? '',
      email: thread.email ?? '',
      message: message?.text ?? '',
      messages: message?.messages ?? 0,
      reference: threadReference(thread, message?.first),
      createdAt: isoTime(createdAt),
      lastAt: isoTime(lastAt),
      waitsSince: isoTimeOrNull(waitsSince),
      undelivered: missing?.why ?? null,
      stillTried: missing?.state === 'waiting',
    };
  });
}

/** How an answer can reach the visitor. `mail`: whether the site can send any. */
export async function findReach(db: Db, thread: Row<'threads'>, mail: boolean) {
  const last = (await visitorMessages(db, [thread.id])).get(thread.id);
  return {
    byMail: mail && thread.email !== null,
    // The browser forgets the conversation some time after its last message.
    inPanel:
      thread.keyHash !== null &&
      thread.endedAt === null &&
      Date.now() < (last?.at ?? 0) + CHAT_SECONDS * 1000,
  };
}

export async function openThread(
  site: Site,
  id: number,
  staff: Staff,
): Promise<z.input<typeof GET_THREAD.answer> | undefined> {
  const { db, mail, isOwnAddress } = site;
  const thread = await findThread(db, id);
  if (!thread) return undefined;
  const [json] = await threadsJson(db, [thread], staff);
  if (!json) return undefined;
  const newestFirst = await db
    .selectFrom('entries')
    .selectAll()
    .where('threadId', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_THREAD)
    .execute();
  const entries = newestFirst.reverse();
  return {
    ...json,
    entries: await entriesJson(site, thread, entries, staff, json.reference),
    ended: thread.endedAt !== null,
    ...(await findReach(db, thread, mail)),
    ownAddress: isOwnAddress(thread.email ?? ''),
    person: await findRelated(db, thread),
    source: await sourceOf(db, 'thread', id),
  };
}

async function entriesJson(
  site: Site,
  thread: Row<'threads'>,
  entries: Row<'entries'>[],
  { accountId }: Staff,
  reference: string,
): Promise<Entry[]> {
  const { db } = site;
  const authors = entries.map(({ authorId }) => authorId);
  const names = await accountNames(db, authors);
  const answers = entries.filter(({ kind }) => kind === 'staff').map(({ id }) => id);
  const deliveries = await findDeliveries(db, [threadAnswered], answers);
  const undelivered = await listUndelivered(db, [thread.id]);
  const mails = deliveries.filter(({ channel }) => channelsOf('customer').includes(channel));
  return entries.map((entry) => {
    const { id, kind, authorId, at } = entry;
    const author = names.name(authorId) ?? entry.sender;
    const mail = mails.find(({ subjectId }) => subjectId === id);
    const why = undelivered.find(({ entryId }) => entryId === id)?.why ?? '';
    return {
      ...{ id, kind: SHOWN_KINDS.find((shown) => shown === kind) ?? 'event', author },
      mine: authorId === accountId,
      text: entryText(site, thread, { ...entry, author }),
      at: isoTime(at),
      reference: chatReference(id) === reference ? reference : '',
      delivery: kind === 'staff' ? deliveryOf(thread.kind, entry, mail, why) : null,
    };
  });
}

/** `mail`: the email to the visitor; undefined if there is none, or it was settled and is over. */
function deliveryOf(
  kind: ThreadKind,
  { at, seenAt, data }: Row<'entries'>,
  mail: Row<'outbox'> | undefined,
  answer: string,
): Entry['delivery'] {
  const state = (state: NonNullable<Entry['delivery']>['state'], when: number) => ({
    state,
    at: isoTime(when),
    answer,
    delivery: mail?.id ?? null,
  });
  if (Date.now() < at) return state('leaving', at);
  if (seenAt !== null) return state('seen', seenAt);
  if (mail?.state === 'accepted') return state('mailed', mail.settledAt ?? at);
  if (mail?.state === 'failed') return state('failed', mail.settledAt ?? at);
  if (!mail && data === NOT_DELIVERED) return state('failed', at);
  // A chat's answer has left for the panel. Any other has only its email.
  return state(mail && (answer || kind === 'contact') ? 'waiting' : 'sent', at);
}
