/**
 * Replies by mail become entries of the thread that they answer. Each instance reads the mailbox:
 * an entry's key is made of the Message-ID, and stored once. Nothing in the mailbox is changed.
 */
import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import type { MailFacts } from '../inbox/entry-text.server.ts';
import { threadReference } from '../inbox/thread-answered.server.ts';
import { MAX_ANSWER } from '../limits.ts';
import { deliveriesNamed, topicKey } from '../notifications/message-id.server.ts';
import { findNamed, markReturned } from '../notifications/outbox-store.server.ts';
import { sameEmail, selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { mailboxOf } from '../platform/message-limits.server.ts';
import { HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import {
  addEntry,
  changeThread,
  visitorMessages,
  waitsAgain,
} from '../threads/thread-store.server.ts';
import {
  type Failure,
  graphMailbox,
  type InboxMessage,
  type InboxRow,
} from './graph-mailbox.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    mailboxReading: {
      mailbox: string;
      /** Graph's: where the next look goes on. */
      link: string;
      /** When the newest mail that was read had come. */
      newestAt: number;
    };
  }
}

/** Of one person, newest first: whom an email without a reference of ours may answer. */
const MAX_CANDIDATES = 100;

export function readReplies(site: Site): Interval[] {
  const { env, db, outbox, isOwnAddress } = site;
  const { mail } = env;
  if (!mail || !('replies' in mail.transport) || !mail.transport.replies) return [];
  const mailbox = graphMailbox(mail.transport, mail.from);
  const name = mail.transport.mailbox ?? mail.from.address;
  /** The first look may fail: what comes before the next one is read, too. */
  const began = Date.now();
  let pausedUntil = 0;
  /** What a page has given that is read again: an entry of it may have been erased since. */
  const given = new Set<string>();
  return [
    new Interval('replies-not-read', 30 * SECOND_MS, async (isStopped) => {
      if (performance.now() < pausedUntil) return;
      const failure = await readAll(isStopped);
      if (!failure) return outbox.faults.works('replies');
      pausedUntil = performance.now() + (failure.retryAfterMs ?? 0);
      await outbox.faults.failed('replies', failure.answer, { sure: failure.isLasting });
    }),
  ];

  /** Goes on where the last look ended; the first of all begins with what comes from now on. */
  async function readAll(isStopped: () => boolean): Promise<Failure | undefined> {
    const known = db.selectFrom('mailboxReading').selectAll().where('mailbox', '=', name);
    const state = await known.executeTakeFirst();
    let newestAt = state?.newestAt ?? began;
    let link = state?.link ?? mailbox.linkSince(newestAt);
    for (let hasExpired = false; !isStopped(); ) {
      const page = await mailbox.readPage(link);
      if (page.kind === 'unavailable') {
        if (!state || !page.isLinkGone || hasExpired) return page;
        hasExpired = true;
        link = mailbox.linkSince(newestAt - HOUR_MS);
        continue;
      }
      const rows = page.rows.toSorted((one, other) => one.receivedAt - other.receivedAt);
      let unreadable: Failure | undefined;
      for (const row of rows) {
        if (isStopped()) return undefined;
        newestAt = Math.max(newestAt, row.receivedAt);
        if (given.has(row.id)) continue;
        const failure = await readOne(row);
        if (failure && !failure.isAboutOne) return failure;
        // By then staff were notified, who have it in the mailbox.
        if (Date.now() < row.receivedAt + HOUR_MS) unreadable ??= failure;
        if (!failure) given.add(row.id);
      }
      if (unreadable) return unreadable;
      given.clear();
      ({ link } = page);
      await db
        .insertInto('mailboxReading')
        .values({ mailbox: name, link, newestAt })
        .onConflict((conflict) => conflict.column('mailbox').doUpdateSet({ link, newestAt }))
        .execute();
      if (page.isLast) return undefined;
    }
    return undefined;
  }

  async function readOne(row: InboxRow): Promise<Failure | undefined> {
    const { id, internetMessageId, receivedAt, sender } = row;
    const key = `mail ${hash('sha256', internetMessageId).slice(0, 32)}`;
    const stored = db.selectFrom('entries').select('id').where('requestKey', '=', key);
    if (isOwnAddress(sender.address) || (await stored.executeTakeFirst())) return undefined;
    const message = await mailbox.readMessage(id);
    if (message === 'gone') return undefined;
    if ('kind' in message)
      return { ...message, answer: `the email of ${isoTime(receivedAt)}: ${message.answer}` };
    const headers = headersOf(message);
    if (isAutomatic(headers, sender.address))
      await noteReturned(site, message, headers, receivedAt);
    else
      await db.transaction().execute(async (trx) => {
        const thread = await findThreadOf(trx, message, headers, sender.address);
        if (thread) await addReply(trx, thread, message, row, key);
      });
    return undefined;
  }
}

type Headers = Map<string, string>;

function headersOf({ internetMessageHeaders }: InboxMessage): Headers {
  return new Map(internetMessageHeaders.map(({ name, value }) => [name.toLowerCase(), value]));
}

function isAutomatic(headers: Headers, sender: string): boolean {
  const precedence = headers.get('precedence')?.trim() ?? '';
  return (
    (headers.get('auto-submitted') ?? 'no').trim().toLowerCase() !== 'no' ||
    // Exchange gives what people write other values (osTicket/osTicket#5320, discourse#21367).
    /^all$/i.test(headers.get('x-auto-response-suppress')?.trim() ?? '') ||
    // X-Autoreply, X-Autorespond
    [...headers.keys()].some((name) => name.startsWith('x-autor')) ||
    /^(bulk|auto_reply|junk)$/i.test(precedence) ||
    // People who share a Google Group answer us through it.
    ((headers.has('list-id') || /^list$/i.test(precedence)) && namedIn(headers).length === 0) ||
    headers.get('return-path')?.trim() === '<>' ||
    isReport(headers) ||
    /^(postmaster|mailer-daemon)@/i.test(sender)
  );
}

function isReport(headers: Headers): boolean {
  return /^multipart\/report\b/i.test(headers.get('content-type')?.trim() ?? '');
}

const namedIn = (headers: Headers) =>
  deliveriesNamed(`${headers.get('in-reply-to')} ${headers.get('references')}`);

/** How Exim, Postfix, Exchange and Gmail begin or end the subject of a report that it is late. */
const IS_LATE = /^(warning|delayed|delivery delayed)\b|\(delay\)$/i;

/** A report that an email of ours could not be delivered, not that it is late or was read. */
async function noteReturned(
  { db, outbox: { kinds, notify } }: Pick<Site, 'db' | 'outbox'>,
  { subject, uniqueBody }: InboxMessage,
  headers: Headers,
  receivedAt: number,
): Promise<void> {
  if (!isReport(headers) || /disposition/i.test(headers.get('content-type') ?? '')) return;
  if (IS_LATE.test(subject?.trim() ?? '')) return;
  const codes = uniqueBody?.content.match(/\b[45]\d\d[ -]#?[45]\.\d{1,3}\.\d{1,3}\b/g) ?? [];
  const isFinal = /^action: *failed\b/im.test(uniqueBody?.content ?? '');
  const code = codes.find((one) => isFinal || one.startsWith('5'));
  if (codes.length > 0 && !code) return;
  await db.transaction().execute(async (trx) => {
    const row = await findNamed(trx, namedIn(headers));
    // Graph has whole seconds, and a report may be faster than our own note.
    if (row?.state !== 'accepted' || (row.settledAt ?? 0) > receivedAt + MINUTE_MS) return;
    // First, as the outbox does.
    await kinds.find(({ kind }) => kind === row.kind)?.settled?.({ db: trx, notify }, row, false);
    await markReturned(trx, row.id, `came back${code ? ` (${code})` : ''}`);
    const threadId = threadOf(row.topic);
    if (threadId !== undefined) await changeThread(trx, threadId);
  });
}

/** The thread of a topic such as 'thread 12'. */
function threadOf(topic: string): number | undefined {
  const id = /^thread (\d+)$/.exec(topic)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** By the email of ours that it answers; else by the reference and the person's address. */
async function findThreadOf(
  trx: Db,
  { subject }: InboxMessage,
  headers: Headers,
  sender: string,
): Promise<Row<'threads'> | undefined> {
  const threads = trx.selectFrom('threads').selectAll();
  const named = await findNamed(trx, namedIn(headers));
  const id = named && threadOf(named.topic);
  if (id !== undefined)
    return selectForUpdate(threads.where('id', '=', id), trx).executeTakeFirst();
  const candidates = await selectForUpdate(
    threads
      .where(({ or }) => or([sender, inUnicode(sender)].map((one) => sameEmail('email', one))))
      .orderBy('lastAt', 'desc')
      .limit(MAX_CANDIDATES),
    trx,
  ).execute();
  const last = await visitorMessages(
    trx,
    candidates.map((thread) => thread.id),
  );
  const words = new Set((subject ?? '').split(/[^\w-]+/));
  return candidates.find(
    (thread) =>
      headers.get('references')?.includes(`<${topicKey(`thread ${thread.id}`)}@`) ||
      words.has(threadReference(thread, last.get(thread.id)?.first)),
  );
}

async function addReply(
  trx: Db,
  thread: Row<'threads'>,
  { uniqueBody, attachments }: InboxMessage,
  { sender, receivedAt }: InboxRow,
  key: string,
): Promise<void> {
  const isText = uniqueBody?.contentType.toLowerCase() === 'text';
  const whole = isText ? readable(uniqueBody.content) : '';
  const at = Math.min(receivedAt, Date.now());
  // Gmail answers without the tag that a visitor typed.
  const isTheirs = mailboxOf(thread.email ?? '') === mailboxOf(sender.address);
  const files = attachments.flatMap(({ name, isInline, size }) =>
    isInline && size < LOGO_BYTES ? [] : (name ?? []),
  );
  const entry = await addEntry(trx, {
    threadId: thread.id,
    kind: isTheirs ? 'visitor' : 'third-party',
    text: whole.slice(0, MAX_ANSWER).toWellFormed(),
    data: JSON.stringify({
      files,
      isCut: whole === '' || whole.length > MAX_ANSWER,
    } satisfies MailFacts),
    sender: sender.address,
    at,
    requestKey: key,
  });
  if (entry === undefined) return;
  await changeThread(trx, thread.id, isTheirs ? waitsAgain(thread, whole, at) : {});
}

/** As visitors type a domain that mail writes in ASCII. */
function inUnicode(address: string): string {
  const place = address.lastIndexOf('@') + 1;
  const domain = address.slice(place);
  return address.slice(0, place) + (domainToUnicode(domain) || domain);
}

/** A smaller picture in the text is the logo of our email, or of their signature. */
const LOGO_BYTES = 8_000;

/** Without what no form of ours would take, and PostgreSQL cannot store. */
function readable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}
