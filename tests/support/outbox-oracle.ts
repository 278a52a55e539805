/**
 * What must hold when the outbox has been tried: what was acknowledged to a visitor has been accepted by every
 * receiver, and a second time only where the first acceptance was never heard of, because the receiver broke off or
 * the server was killed before it could write it down.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { NOTIFICATION_KINDS } from '../../src/notification-kinds.server.ts';
import type { FakeTeams } from './fake-teams.ts';
import type { Mailbox } from './mailbox.ts';

const CHANNELS = ['teams', 'mail-staff', 'mail-customer'] as const;
type Channel = (typeof CHANNELS)[number];

export interface Verdict {
  doubles: number;
  /** The rest must be empty. */
  lost: string[];
  unexplainedDoubles: string[];
  outOfOrder: string[];
}

/** What a visitor was told; without a conversation it is a contact message. */
export interface Acknowledged {
  reference: string;
  conversation: string | null;
  sentAt: number;
  acknowledgedAt: number;
}

export interface Acceptance {
  /** Channel and reference. */
  key: string;
  at: number;
  answerLost: boolean;
}

export function acceptances(teams: FakeTeams, mailbox: Mailbox): Acceptance[] {
  const cards = teams.accepted.map(({ text, at, answerLost }) => ({
    key: keyOf('teams', text),
    at,
    answerLost,
  }));
  const mails = mailbox.mails.map(({ recipients, subject = '', at, answerLost }) => {
    const channel = recipients[0]?.startsWith('desk@') ? 'mail-staff' : 'mail-customer';
    return { key: keyOf(channel, subject), at, answerLost };
  });
  return [...cards, ...mails].sort((a, b) => a.at - b.at);
}

function keyOf(channel: Channel, text: string): string {
  return `${channel} ${/[CT]-\d+/.exec(text)?.[0]}`;
}

export function judge(
  acknowledged: Acknowledged[],
  accepted: Acceptance[],
  cutOff: Map<string, number>,
): Verdict {
  const byKey = Map.groupBy(accepted, ({ key }) => key);
  const expected = acknowledged.flatMap(({ reference, conversation }) =>
    (conversation ? (['teams'] as const) : CHANNELS).map((channel) => `${channel} ${reference}`),
  );
  const doubled = [...byKey].filter(([, each]) => each.length > 1);
  return {
    lost: expected.filter((key) => !byKey.has(key)),
    doubles: doubled.reduce((sum, [, each]) => sum + each.length - 1, 0),
    unexplainedDoubles: doubled
      .filter(
        ([key, each]) =>
          each.filter(({ answerLost }) => !answerLost).length > 1 + (cutOff.get(key) ?? 0),
      )
      .map(([key]) => key),
    outOfOrder: outOfOrder(acknowledged, byKey),
  };
}

/** Messages that Teams first saw before one of their conversation that had been acknowledged when they were sent. */
function outOfOrder(acknowledged: Acknowledged[], byKey: Map<string, Acceptance[]>): string[] {
  const firstSeen = (reference: string) => byKey.get(`teams ${reference}`)?.[0]?.at ?? 0;
  const talks = Map.groupBy(acknowledged, ({ conversation }) => conversation);
  talks.delete(null);
  return [...talks.values()].flatMap((talk) =>
    talk
      .filter((later) =>
        talk.some(
          (earlier) =>
            earlier.acknowledgedAt < later.sentAt &&
            firstSeen(earlier.reference) > firstSeen(later.reference),
        ),
      )
      .map(({ reference }) => reference),
  );
}

/** Read from the database itself, for the server may be dead. */
export async function readDeliveries(
  { DATA_DIR, DATABASE_URL }: Record<string, string>,
  state: string,
): Promise<Set<string>> {
  const query = 'SELECT channel, kind, "subjectId" FROM outbox WHERE state = ';
  let rows: Record<string, unknown>[];
  if (DATABASE_URL) {
    const client = new pg.Client({ connectionString: DATABASE_URL });
    await client.connect();
    rows = (await client.query(`${query}$1`, [state])).rows;
    await client.end();
  } else {
    const database = new DatabaseSync(join(DATA_DIR ?? '', 'site.sqlite'), { timeout: 5000 });
    rows = database.prepare(`${query}?`).all(state);
    database.close();
  }
  return new Set(
    rows.map(({ channel, kind, subjectId }) => {
      const about = NOTIFICATION_KINDS.find((each) => each.kind === kind);
      return `${channel} ${about?.reference(Number(subjectId))}`;
    }),
  );
}
