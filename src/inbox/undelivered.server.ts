/** Answers whose email has not arrived: in which threads, and why. */
import { channelsOf } from '../notifications/outbox-api.ts';
import { isDueOrTried, lastAnswer } from '../notifications/outbox-store.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { threadAnswered } from './thread-answered.server.ts';

/** So many are shown; a mail server that is away holds them all, which has its own line. */
const MAX_SHOWN = 500;

interface Undelivered {
  threadId: number;
  entryId: number;
  state: 'waiting' | 'failed';
  why: string;
}

/** The newest, those that failed first. `threads`: only in these. */
export async function listUndelivered(db: Db, threads?: number[]): Promise<Undelivered[]> {
  const listed: Undelivered[] = [];
  const found = db
    .selectFrom('outbox')
    .innerJoin('entries', 'entries.id', 'outbox.subjectId')
    .where('outbox.kind', '=', threadAnswered.kind)
    .where('outbox.channel', 'in', channelsOf('customer'));
  const inThreads = threads ? found.where('entries.threadId', 'in', [0, ...threads]) : found;
  for (const state of ['failed', 'waiting'] as const) {
    const rows = await inThreads
      .select(['entries.threadId', 'entries.id as entryId', 'entries.recipient'])
      .select(lastAnswer.as('answer'))
      .where('outbox.state', '=', state)
      .where(isDueOrTried())
      .where(lastAnswer, 'is not', null)
      .orderBy('outbox.id', 'desc')
      .limit(MAX_SHOWN)
      .execute();
    listed.push(
      ...rows.map(({ recipient, answer, ...of }) => ({
        ...of,
        state,
        why: `${state === 'waiting' ? 'Still trying. ' : ''}${whyNot(recipient, answer)}`,
      })),
    );
  }
  return listed;
}

/** What the codes of RFC 3463 and Exchange say about an address. */
const ABOUT_ADDRESS: Readonly<Record<string, string>> = {
  '1.1': 'does not exist',
  '1.2': 'has no mail server',
  '1.3': 'is no email address',
  '1.10': 'does not exist',
  '2.1': 'takes no email',
  '2.2': 'is full',
};
const CODE = /(?<!\d)(?:(\d{3})[ -])?([45]\.(\d\.\d{1,2}))(?![.\d])/;

function whyNot(recipient: string | null, answer: string | null): string {
  const [, code, status, detail = ''] = CODE.exec(answer ?? '') ?? [];
  const words = ABOUT_ADDRESS[detail];
  if (words) return `${recipient} ${words} (${code ?? status})`;
  return `${recipient}: ${answer ?? ''}`;
}
