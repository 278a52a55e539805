/** Staff open a thread, answer in it, take an answer back, mark the thread and take it over. */
import type { ExpressionBuilder } from 'kysely';
import type * as z from 'zod/mini';
import type { DbAndNotify } from '../notifications/outbox.server.ts';
import { takeBack } from '../notifications/outbox-store.server.ts';
import { selectForUpdate } from '../platform/database/queries.server.ts';
import type { Db, Row, Tables } from '../platform/database/tables.server.ts';
import { refuse, sendJson } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call, readId } from '../platform/http/call.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { type Mark, UNDO_MS } from '../threads/thread.ts';
import { addEntry, changeThread, lastMessages } from '../threads/thread-store.server.ts';
import {
  ANSWERED_BY_MAIL,
  GET_THREAD,
  MARK_THREAD,
  OWN_THREAD,
  UNDO_ENTRY,
  WRITE_ENTRY,
} from './inbox-api.ts';
import { openThread, reachOf } from './open-thread.server.ts';
import { threadAnswered, threadReference } from './thread-answered.server.ts';

interface AnswerContext extends DbAndNotify {
  /** Whether the site can send emails. */
  mail: boolean;
}

export function answerCalls({ db, notify, mail }: AnswerContext): Call[] {
  /** Locks the thread for the change, and returns what has become of it. */
  async function change(
    params: Record<string, string>,
    act: (trx: Db, thread: Row<'threads'>) => Promise<Response | undefined>,
  ) {
    const id = readId(params.id) ?? 0;
    const refusal = await db.transaction().execute(async (trx) => {
      const locked = trx.selectFrom('threads').selectAll().where('id', '=', id);
      const thread = await selectForUpdate(locked, trx).executeTakeFirst();
      return thread && act(trx, thread);
    });
    return refusal ?? (await openThread(db, id, mail)) ?? refuse(404, 'Message not found');
  }

  return [
    call(GET_THREAD, {
      access: 'staff',
      handle: async ({ params }) =>
        (await openThread(db, readId(params.id) ?? 0, mail)) ?? refuse(404, 'Message not found'),
    }),
    call(MARK_THREAD, {
      access: 'staff',
      handle: ({ params, body, ...by }) =>
        change(params, (trx, thread) => markThread(trx, thread, body.mark, by)),
    }),
    call(OWN_THREAD, {
      access: 'staff',
      handle: ({ params, body, staff: { username } }) =>
        change(params, (trx, thread) => ownThread(trx, thread, username, body.mine)),
    }),
    call(WRITE_ENTRY, {
      access: 'staff',
      handle: ({ params, body, staff: { username } }) =>
        change(params, async (trx, thread) => {
          if (await hasKey(trx, body.key)) return undefined;
          return body.kind === 'note'
            ? addNote(trx, thread, username, body)
            : addAnswer(trx, thread, username, body, { notify, mail });
        }),
    }),
    call(UNDO_ENTRY, {
      access: 'staff',
      handle: ({ params, staff: { username } }) =>
        change(params, (trx, { id }) => undo(trx, id, readId(params.entry) ?? 0, username)),
    }),
    call(ANSWERED_BY_MAIL, {
      access: 'staff',
      handle: ({ params, staff: { username } }) =>
        change(params, async (trx, { id, owner }) => {
          const at = Date.now();
          await addEvent(trx, id, username, BY_MAIL);
          await changeThread(trx, id, { ...answeredBy(username, owner), lastAt: at });
          return undefined;
        }),
    }),
  ];
}

/** The member of staff who marks a thread. */
type Actor = Pick<CallRequest<unknown, 'staff'>, 'staff' | 'address'>;

async function markThread(
  trx: Db,
  thread: Row<'threads'>,
  mark: Mark,
  { staff: { username }, address }: Actor,
): Promise<undefined> {
  const { id } = thread;
  const last = (await lastMessages(trx, [id])).get(id);
  const detail = `${threadReference(thread, last?.id)}: ${mark}`;
  await recordAudit(trx, { kind: 'message-marked', username, address, detail });
  if (mark === thread.mark) return;
  await addEvent(trx, id, username, `marked it as ${mark}`);
  await changeThread(trx, id, { mark });
}

async function ownThread(
  trx: Db,
  { id, owner }: Row<'threads'>,
  username: string,
  mine: boolean,
): Promise<undefined> {
  const next = mine ? username : null;
  if (next === owner) return;
  await addEvent(trx, id, username, mine ? 'took it' : 'released it');
  await changeThread(trx, id, { owner: next });
}

/** `what` follows the name: 'Ann took it'. */
async function addEvent(trx: Db, threadId: number, author: string, what: string): Promise<void> {
  await addEntry(trx, { threadId, kind: 'event', text: `${author} ${what}`, author });
}

const BY_MAIL = 'answered by mail';

/** Whether staff answered, here or from their own mailbox. */
function isAnswer({ eb, or, and }: ExpressionBuilder<Tables, 'entries'>) {
  const byMail = and([eb('kind', '=', 'event'), eb('text', 'like', `% ${BY_MAIL}`)]);
  return or([eb('kind', '=', 'staff'), byMail]);
}

function answeredBy(username: string, owner: string | null) {
  return { mark: 'answered', owner: owner ?? username } as const;
}

async function hasKey(trx: Db, key: string): Promise<boolean> {
  const entry = trx.selectFrom('entries').select('id').where('requestKey', '=', key);
  return (await entry.executeTakeFirst()) !== undefined;
}

type NewEntry = z.output<typeof WRITE_ENTRY.body>;

async function addNote(
  trx: Db,
  { id }: Row<'threads'>,
  author: string,
  { text, key }: NewEntry,
): Promise<undefined> {
  await addEntry(trx, { threadId: id, kind: 'note', text, author, requestKey: key });
  await changeThread(trx, id);
}

/** The answer leaves once it can no longer be undone. */
async function addAnswer(
  trx: Db,
  thread: Row<'threads'>,
  author: string,
  { text, key, after, anyway }: NewEntry,
  { notify, mail }: Pick<AnswerContext, 'notify' | 'mail'>,
): Promise<Response | undefined> {
  const { id, email, owner } = thread;
  const { byMail, inPanel } = await reachOf(trx, thread, mail);
  if (!byMail && !inPanel) return refuse(409, email === null ? NO_WAY : NO_MAIL);
  const colleague = anyway ? undefined : await answererSince(trx, id, after, author);
  if (colleague) {
    const message = `${colleague} has answered in the meantime`;
    return sendJson({ message, answeredBy: colleague }, 409);
  }
  const at = Date.now() + UNDO_MS;
  const answer = { threadId: id, kind: 'staff', text, author, at, requestKey: key } as const;
  const entryId = await addEntry(trx, answer);
  await changeThread(trx, id, { ...answeredBy(author, owner), lastAt: at });
  await notify(trx, threadAnswered, entryId);
  return undefined;
}

const NO_WAY =
  'The answer wasn’t sent. The visitor left no email address, and the conversation has ended.';
const NO_MAIL =
  'The answer wasn’t sent, because this site can’t send email. Please answer from your own mailbox.';

/** The colleague who has answered after the entry `after`. */
async function answererSince(
  trx: Db,
  threadId: number,
  after: number,
  author: string,
): Promise<string | undefined> {
  const newer = await trx
    .selectFrom('entries')
    .select('author')
    .where('threadId', '=', threadId)
    .where(isAnswer)
    .where('id', '>', after)
    .where('author', '!=', author)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newer?.author ?? undefined;
}

async function undo(
  trx: Db,
  threadId: number,
  entryId: number,
  author: string,
): Promise<Response | undefined> {
  const answer = await trx
    .selectFrom('entries')
    .select('at')
    .where('id', '=', entryId)
    .where('threadId', '=', threadId)
    .where('kind', '=', 'staff')
    .where('author', '=', author)
    .executeTakeFirst();
  if (!answer) return refuse(404, 'Answer not found');
  if (answer.at <= Date.now() || !(await takeBack(trx, threadAnswered, entryId)))
    return refuse(409, 'The answer has already left');
  await trx.deleteFrom('entries').where('id', '=', entryId).execute();
  await changeThread(trx, threadId, await stateBefore(trx, threadId));
  return undefined;
}

/** What the entries say about a thread: whether the visitor or staff wrote last, and when. */
async function stateBefore(trx: Db, threadId: number) {
  const written = trx
    .selectFrom('entries')
    .select(['kind', 'at'])
    .where('threadId', '=', threadId)
    .orderBy('at', 'desc')
    .limit(1);
  const answer = await written.where(isAnswer).executeTakeFirst();
  const message = await written.where('kind', '=', 'visitor').executeTakeFirst();
  const [answeredAt, writtenAt] = [answer?.at ?? 0, message?.at ?? 0];
  const mark = answeredAt > writtenAt ? 'answered' : answer ? 'waiting' : 'new';
  return { mark, lastAt: Math.max(answeredAt, writtenAt) } as const;
}
