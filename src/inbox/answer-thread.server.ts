/** Staff open a thread, answer in it, take an answer back, mark the thread and take it over. */

import type * as z from 'zod/mini';
import { channelsOf } from '../notifications/outbox-api.ts';
import { deleteUnlessTried, findDeliveries, resend } from '../notifications/outbox-store.server.ts';
import { selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse, sendJson } from '../platform/http/answer.server.ts';
import {
  type Call,
  type CallRequest,
  call,
  readId,
  type StaffRequest,
} from '../platform/http/call.server.ts';
import { parseJson } from '../platform/schema.ts';
import type { Site } from '../site.server.ts';
import { accountNames } from '../staff/account-store.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import {
  ANSWER_KINDS,
  type EntryKind,
  STAFF_STATUSES,
  type StaffStatus,
  UNDO_MS,
} from '../threads/thread.ts';
import { addEntry, changeThread, visitorMessages } from '../threads/thread-store.server.ts';
import {
  ANSWERED_BY_MAIL,
  ASSIGN_THREAD,
  GET_THREAD,
  READDRESS,
  SET_STATUS,
  UNDO_ENTRY,
  WRITE_ENTRY,
} from './inbox-api.ts';
import { findReach, openThread } from './open-thread.server.ts';
import { threadAnswered, threadReference } from './thread-answered.server.ts';

export function answerCalls(site: Site): Call[] {
  const { db, notify, mail, outbox } = site;
  /** Locks the thread for the change, and returns what has become of it. */
  async function change(
    { id, staff }: Pick<CallRequest<unknown, 'staff'>, 'id' | 'staff'>,
    act: (trx: Db, thread: Row<'threads'>) => Promise<Response | NotAccepted | undefined>,
  ) {
    const refusal = await db.transaction().execute(async (trx) => {
      const locked = trx.selectFrom('threads').selectAll().where('id', '=', id);
      const thread = await selectForUpdate(locked, trx).executeTakeFirst();
      return thread && act(trx, thread);
    });
    if (refusal instanceof Response) return refusal;
    const thread = await openThread(site, id, staff);
    if (!thread) return refuse(404, NOT_FOUND);
    return refusal ? sendJson({ ...refusal, thread }, 409) : thread;
  }

  return [
    call(GET_THREAD, 'staff', async ({ id, staff }) => {
      const thread = await openThread(site, id, staff);
      return thread ?? refuse(404, NOT_FOUND);
    }),
    call(SET_STATUS, 'staff', ({ body, ...by }) =>
      change(by, (trx, thread) => setStatus(trx, thread, body.status, by)),
    ),
    call(ASSIGN_THREAD, 'staff', ({ body, ...by }) =>
      change(by, (trx, thread) => assignThread(trx, thread, by.staff.accountId, body.mine)),
    ),
    call(WRITE_ENTRY, 'staff', ({ body, ...by }) =>
      change(by, async (trx, thread) => {
        const authorId = by.staff.accountId;
        const ofKey = trx.selectFrom('entries').selectAll().where('requestKey', '=', body.key);
        const written = await ofKey.executeTakeFirst();
        if (written) return isSame(written, thread, authorId, body) ? undefined : OTHER_TEXT;
        if (body.kind === 'note') return addNote(trx, thread, authorId, body);
        const refusal = await addAnswer(trx, thread, authorId, body, { notify, mail });
        if (!refusal) await auditThread(trx, 'message-answered', thread, by);
        return refusal;
      }),
    ),
    call(UNDO_ENTRY, 'staff', (request) =>
      change(request, async (trx, thread) => {
        const entryId = readId(request.params.entry) ?? 0;
        const refusal = await undo(trx, thread.id, entryId, request.staff.accountId);
        if (!refusal) await auditThread(trx, 'message-answered', thread, request, ': undone');
        return refusal;
      }),
    ),
    call(READDRESS, 'staff', async ({ body, ...request }) => {
      const answer = await change(request, async (trx, thread) => {
        const entryId = readId(request.params.entry) ?? 0;
        const refusal = await readdress(trx, thread, entryId, request.staff.accountId, body.email);
        if (!refusal) await auditThread(trx, 'message-answered', thread, request, READDRESSED);
        return refusal;
      });
      outbox.endPauses();
      return answer;
    }),
    call(ANSWERED_BY_MAIL, 'staff', (request) =>
      change(request, async (trx, thread) => {
        const { id, assigneeId } = thread;
        const authorId = request.staff.accountId;
        const at = Date.now();
        await addEntry(trx, { threadId: id, kind: 'answered-by-mail', authorId, at });
        await changeThread(trx, id, { ...answeredBy(authorId, assigneeId), lastAt: at });
        await auditThread(trx, 'message-answered', thread, request, ': by email');
        return undefined;
      }),
    ),
  ];
}

const READDRESSED = ': to another address';
const NOT_FOUND = 'Message not found';

async function setStatus(
  trx: Db,
  thread: Row<'threads'>,
  status: StaffStatus,
  by: StaffRequest,
): Promise<undefined> {
  const { id } = thread;
  await auditThread(trx, 'message-marked', thread, by, `: ${status}`);
  if (status === thread.status) return;
  const data = JSON.stringify(status);
  await addEntry(trx, { threadId: id, kind: 'marked', authorId: by.staff.accountId, data });
  const waitsSince =
    status === 'new' ? (thread.waitsSince ?? (await stateOf(trx, id)).waitsSince) : null;
  await changeThread(trx, id, { status, waitsSince });
}

async function auditThread(
  trx: Db,
  kind: 'message-marked' | 'message-answered',
  thread: Row<'threads'>,
  { staff, address }: StaffRequest,
  more = '',
): Promise<void> {
  const last = (await visitorMessages(trx, [thread.id])).get(thread.id);
  const detail = `${threadReference(thread, last?.first)}${more}`;
  await recordAudit(trx, { kind, by: staff, address, detail });
}

async function assignThread(
  trx: Db,
  { id, assigneeId }: Row<'threads'>,
  authorId: number,
  mine: boolean,
): Promise<undefined> {
  const next = mine ? authorId : null;
  if (next === assigneeId) return;
  await addEntry(trx, { threadId: id, kind: mine ? 'assigned' : 'released', authorId });
  await changeThread(trx, id, { assigneeId: next });
}

interface NotAccepted {
  message: string;
  answeredBy?: string;
  /** Whether the visitor has another address since. */
  readdressed?: boolean;
}

function answeredBy(authorId: number, assigneeId: number | null) {
  return { status: 'answered', waitsSince: null, assigneeId: assigneeId ?? authorId } as const;
}

const OTHER_TEXT = { message: 'This key was used for something else' };

type EntryBody = z.output<typeof WRITE_ENTRY.body>;

function isSame(
  { threadId, ...written }: Row<'entries'>,
  { id }: Row<'threads'>,
  authorId: number,
  { kind, text }: EntryBody,
): boolean {
  const isOwn = threadId === id && written.authorId === authorId;
  return isOwn && written.kind === kind && written.text === text;
}

async function addNote(
  trx: Db,
  { id }: Row<'threads'>,
  authorId: number,
  { text, key }: EntryBody,
): Promise<NotAccepted | undefined> {
  const note = { threadId: id, kind: 'note', text, authorId, requestKey: key } as const;
  if (!(await addEntry(trx, note))) return OTHER_TEXT;
  await changeThread(trx, id);
  return undefined;
}

/** The answer leaves once it can no longer be undone. */
async function addAnswer(
  trx: Db,
  thread: Row<'threads'>,
  authorId: number,
  { text, key, after }: EntryBody,
  { notify, mail }: Pick<Site, 'notify' | 'mail'>,
): Promise<Response | NotAccepted | undefined> {
  const { id, email, assigneeId } = thread;
  const { byMail, inPanel } = await findReach(trx, thread, mail);
  if (!byMail && !inPanel) return refuse(409, email === null ? NO_WAY : NO_MAIL);
  const newer = await changeSince(trx, thread, after);
  if (newer?.kind === 'address-changed')
    return { message: 'The visitor has changed their address in the meantime', readdressed: true };
  if (newer?.kind === 'readdressed')
    return { message: 'A colleague has changed the address in the meantime', readdressed: true };
  if (newer) {
    const names = await accountNames(trx, [newer.authorId]);
    const answeredBy = names.name(newer.authorId) ?? '';
    return { message: `${answeredBy} has answered in the meantime`, answeredBy };
  }
  const at = Date.now() + UNDO_MS;
  const entryId = await addEntry(trx, {
    ...{ threadId: id, kind: 'staff', text, authorId, at, requestKey: key },
    recipient: email,
  });
  if (!entryId) return OTHER_TEXT;
  await changeThread(trx, id, { ...answeredBy(authorId, assigneeId), lastAt: at });
  await notify(trx, threadAnswered, entryId);
  return undefined;
}

const NO_WAY =
  'The answer wasn’t sent. The visitor left no email address, and the conversation has ended.';
const NO_MAIL =
  'The answer wasn’t sent, because this site can’t send email. Please answer from your own mailbox.';

/** What came after the entry `after` that the writer should see: an answer, another address. */
async function changeSince(trx: Db, { id, kind }: Row<'threads'>, after: number) {
  // To a chat, it was for that answer alone.
  const readdressed = kind === 'contact' ? (['readdressed'] as const) : [];
  return trx
    .selectFrom('entries')
    .select(['kind', 'authorId'])
    .where('threadId', '=', id)
    .where('kind', 'in', [...ANSWER_KINDS, 'address-changed', ...readdressed])
    .where('id', '>', after)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

function findAnswer(trx: Db, threadId: number, entryId: number) {
  return trx
    .selectFrom('entries')
    .select(['at', 'authorId', 'recipient'])
    .where('id', '=', entryId)
    .where('threadId', '=', threadId)
    .where('kind', '=', 'staff')
    .executeTakeFirst();
}

async function undo(
  trx: Db,
  threadId: number,
  entryId: number,
  authorId: number,
): Promise<Response | undefined> {
  const answer = await findAnswer(trx, threadId, entryId);
  if (answer?.authorId !== authorId) return refuse(404, 'Answer not found');
  if (answer.at <= Date.now() || !(await deleteUnlessTried(trx, threadAnswered, entryId)))
    return refuse(409, 'The answer has already left');
  await trx.deleteFrom('entries').where('id', '=', entryId).execute();
  await changeThread(trx, threadId, await stateOf(trx, threadId));
  return undefined;
}

/** Sends the answer to another address; to a contact message, those that follow, too. */
async function readdress(
  trx: Db,
  { id, kind, email }: Row<'threads'>,
  entryId: number,
  authorId: number,
  recipient: string,
): Promise<Response | undefined> {
  const answer = await findAnswer(trx, id, entryId);
  if (!answer) return refuse(404, 'Answer not found');
  const deliveries = await findDeliveries(trx, [threadAnswered], [entryId]);
  const mail = deliveries.find(({ channel }) => channelsOf('customer').includes(channel));
  if (!mail || !(await resend(trx, mail.id)))
    return refuse(409, 'The answer has arrived, or is being sent now');
  // What was answered concerned the other address.
  await trx.updateTable('outbox').set({ lastAnswer: null }).where('id', '=', mail.id).execute();
  await trx.updateTable('entries').set({ recipient }).where('id', '=', entryId).execute();
  await addEntry(trx, { threadId: id, kind: 'readdressed', authorId });
  // A chat goes on with the address that its browser knows.
  const isTheirs = kind === 'contact' && email === answer.recipient;
  await changeThread(trx, id, isTheirs ? { email: recipient } : {});
  return undefined;
}

/** By the entries: as staff marked it, unless somebody wrote since; since when it waits; whose. */
async function stateOf(
  trx: Db,
  threadId: number,
): Promise<Pick<Row<'threads'>, 'status' | 'waitsSince' | 'lastAt' | 'assigneeId'>> {
  const messages = ['visitor', ...ANSWER_KINDS] as const;
  // In the order in which they were written: an answer's `at` is when it leaves.
  const entries = await trx
    .selectFrom('entries')
    .select(['kind', 'data', 'authorId', 'at'])
    .where('threadId', '=', threadId)
    .where('kind', 'in', [...messages, 'marked', 'assigned', 'released'])
    .orderBy('id')
    .execute();
  const isOf =
    (...kinds: readonly EntryKind[]) =>
    ({ kind }: { kind: EntryKind }) =>
      kinds.includes(kind);
  const last = entries.findLast(isOf(...messages, 'marked'));
  const marked = last?.kind === 'marked' ? parseJson(last.data ?? '') : null;
  const answer = entries.findLastIndex(isOf(...ANSWER_KINDS));
  const [first] = entries.slice(answer + 1).filter(isOf('visitor'));
  const lastAt = Math.max(0, ...entries.filter(isOf(...messages)).map(({ at }) => at));
  const written = !first ? 'answered' : answer >= 0 ? 'waiting' : 'new';
  const status = STAFF_STATUSES.find((each) => each === marked) ?? written;
  const waits = status === 'new' || status === 'waiting';
  const since = entries.slice(entries.findLastIndex(isOf('released')) + 1);
  // Who answers first has it, unless somebody takes it.
  const taken = since.findLast(isOf('assigned')) ?? since.find(isOf(...ANSWER_KINDS));
  const assigneeId = taken?.authorId ?? null;
  return { status, waitsSince: waits ? (first?.at ?? lastAt) : null, lastAt, assigneeId };
}
