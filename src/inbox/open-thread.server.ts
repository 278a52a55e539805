/** A thread as staff see it: in the list, and open with its entries and its person. */

import { sourceOf } from '../attribution/attribution-store.server.ts';
import { orderReference, quoteReference } from '../billing/reference.ts';
import { chatReference } from '../chat/chat.ts';
import { CHAT_SECONDS, MAX_THREAD } from '../limits.ts';
import { findDeliveries } from '../notifications/outbox-store.server.ts';
import { sameEmail } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import type { Staff } from '../platform/http/call.server.ts';
import type { Site } from '../platform/site.server.ts';
import { isoTime, isRecent } from '../platform/time.ts';
import { recordPath } from '../routes.ts';
import { accountNames } from '../staff/account-store.server.ts';
import { SHOWN_KINDS, type ThreadKind, UNDO_MS } from '../threads/thread.ts';
import { findThread, lastMessages } from '../threads/thread-store.server.ts';
import { entryText } from './entry-text.server.ts';
import type { Entry, OpenThread, Thread } from './inbox-api.ts';
import { threadAnswered, threadReference } from './thread-answered.server.ts';

export async function threadsJson(
  db: Db,
  threads: Row<'threads'>[],
  { accountId }: Staff,
): Promise<Thread[]> {
  const names = await accountNames(
    db,
    threads.map(({ assigneeId }) => assigneeId),
  );
  const last = await lastMessages(
    db,
    threads.map(({ id }) => id),
  );
  return threads.map((thread) => {
    const { keyHash: _, endedAt: __, watchedAt: ___, changedAt: ____, ...shown } = thread;
    const { createdAt, lastAt, waitsSince, assigneeId, ...fields } = shown;
    const message = last.get(thread.id);
    return {
      ...fields,
      assignee: names.name(assigneeId),
      mine: assigneeId === accountId,
      name: thread.name ?? '',
      email: thread.email ?? '',
      message: message?.text ?? '',
      messages: message?.messages ?? 0,
      reference: threadReference(thread, message?.id),
      createdAt: isoTime(createdAt),
      lastAt: isoTime(lastAt),
      waitsSince: waitsSince === null ? null : isoTime(waitsSince),
    };
  });
}

/** How an answer can reach the visitor. `mail`: whether the site can send any. */
export async function reachOf(db: Db, thread: Row<'threads'>, mail: boolean) {
  return {
    byMail: mail && thread.email !== null,
    // The browser forgets the conversation some time after its last message.
    inPanel:
      thread.keyHash !== null &&
      thread.endedAt === null &&
      isRecent(await lastWrittenAt(db, thread), KEPT_MS),
  };
}

const KEPT_MS = CHAT_SECONDS * 1000;

async function lastWrittenAt(db: Db, { id }: Row<'threads'>): Promise<number> {
  const last = await db
    .selectFrom('entries')
    .select('at')
    .where('threadId', '=', id)
    .where('kind', '=', 'visitor')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.at ?? 0;
}

export async function openThread(
  site: Site,
  id: number,
  staff: Staff,
): Promise<OpenThread | undefined> {
  const { db, mail } = site;
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
    entries: await entriesJson(site, thread, entries, staff),
    ended: thread.endedAt !== null,
    ...(await reachOf(db, thread, mail)),
    person: await findRelated(db, thread, staff),
    source: await sourceOf(db, 'thread', id),
  };
}

async function entriesJson(
  site: Site,
  thread: Row<'threads'>,
  entries: Row<'entries'>[],
  { accountId }: Staff,
): Promise<Entry[]> {
  const { db } = site;
  const threadKind = thread.kind;
  const names = await accountNames(
    db,
    entries.map(({ authorId }) => authorId),
  );
  const answers = entries.filter(({ kind }) => kind === 'staff').map(({ id }) => id);
  const deliveries = await findDeliveries(db, [threadAnswered], answers);
  const mails = new Map(
    deliveries
      .filter(({ channel }) => channel === 'mail-customer')
      .map((delivery) => [delivery.subjectId, delivery]),
  );
  return entries.map((entry) => {
    const { id, kind, authorId, at } = entry;
    const author = names.name(authorId);
    return {
      ...{ id, kind: SHOWN_KINDS.find((shown) => shown === kind) ?? 'event', author },
      mine: authorId === accountId,
      text: entryText(site, thread, { ...entry, author }),
      at: isoTime(at),
      reference: kind === 'visitor' && threadKind === 'chat' ? chatReference(id) : '',
      delivery: kind === 'staff' ? deliveryOf(threadKind, entry, mails.get(id)) : null,
    };
  });
}

/** `mail`: the email to the visitor; undefined if there is none, or it was settled long ago. */
function deliveryOf(
  kind: ThreadKind,
  { at, seenAt }: Row<'entries'>,
  mail: Row<'outbox'> | undefined,
): Entry['delivery'] {
  const state = (state: NonNullable<Entry['delivery']>['state'], when: number) => ({
    state,
    at: isoTime(when),
    answer: mail?.lastAnswer ?? '',
    delivery: mail?.id ?? null,
  });
  if (isRecent(at - UNDO_MS, UNDO_MS)) return state('leaving', at);
  if (seenAt !== null) return state('seen', seenAt);
  if (mail?.state === 'accepted') return state('mailed', mail.settledAt ?? at);
  if (mail?.state === 'failed') return state('failed', mail.settledAt ?? at);
  // A chat's answer has left for the panel. Any other has only its email.
  return state(mail && (mail.lastAnswer || kind === 'contact') ? 'waiting' : 'sent', at);
}

const MAX_RELATED = 20;
const MAX_EXCERPT = 200;

/** The newest of everything else with the thread's address. */
async function findRelated(
  db: Db,
  { id, email }: Row<'threads'>,
  staff: Staff,
): Promise<OpenThread['person']> {
  if (email === null) return [];
  const ofPerson = sameEmail('email', email);
  const threads = await db
    .selectFrom('threads')
    .selectAll()
    .where(ofPerson)
    .where('id', '!=', id)
    .orderBy('id', 'desc')
    .limit(MAX_RELATED)
    .execute();
  const sales = async (table: 'orders' | 'quotes') =>
    db
      .selectFrom(table)
      .select(['id', 'planName', 'createdAt'])
      .where(ofPerson)
      .orderBy('id', 'desc')
      .limit(MAX_RELATED)
      .execute();
  const related = [
    ...(await threadsJson(db, threads, staff)).map(({ id, reference, message, lastAt }) => ({
      reference,
      path: recordPath('inbox', id),
      about: message.slice(0, MAX_EXCERPT).toWellFormed(),
      at: lastAt,
    })),
    ...(await sales('orders')).map(({ id, planName, createdAt }) => ({
      reference: orderReference(id),
      path: recordPath('orders', id),
      about: planName,
      at: isoTime(createdAt),
    })),
    ...(await sales('quotes')).map(({ id, planName, createdAt }) => ({
      reference: quoteReference(id),
      path: recordPath('quotes', id),
      about: planName,
      at: isoTime(createdAt),
    })),
  ];
  return related.sort((one, other) => other.at.localeCompare(one.at));
}
