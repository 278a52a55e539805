/**
 * Servers are killed again and again, and receivers fail three times in ten. Every message that was
 * acknowledged to its visitor reaches each receiver, and a second time only where no one could know
 * of the first: the receiver's answer was lost, or the server was killed before it stored the
 * answer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { NOTIFICATION_KINDS } from '../../src/app.server.ts';
import { readEnv } from '../../src/env.server.ts';
import { openUnmigrated } from '../../src/platform/database/database.server.ts';
import { FakeGraph, type GraphBehaviour } from '../support/fake-graph.ts';
import { type Behaviour, FakeTeams } from '../support/fake-teams.ts';
import { type MailBehaviour, Mailbox } from '../support/mailbox.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';
import { sized } from './sized.ts';

/** In the long run only: Graph's allowance makes 500 emails take twenty minutes. */
const SENDERS = [
  { name: 'by SMTP', start: () => Mailbox.start(), messages: sized(50, 1000) },
  ...sized([], [{ name: 'through Graph', start: () => FakeGraph.start(), messages: 500 }]),
];
const KILLS = sized(3, 20);
/** Limits the failures of one delivery, because its retry pauses grow to minutes. */
const MAX_FAILURES = sized(2, 5);
const DELIVERY_TIMEOUT_MS = sized(600_000, 3_600_000);

test.for(SENDERS)(
  'no message is lost, duplicated without need, or overtaken while servers are killed and receivers fail ($name)',
  { timeout: 2 * DELIVERY_TIMEOUT_MS },
  async ({ start, messages }) => {
    const testDb = await testDatabase();
    const teams = await FakeTeams.start();
    const mailbox = await start();
    const trial = new Trial(testDb.variables, teams, mailbox, messages);
    const acknowledged = await trial.sendAll();
    await trial.waitUntilDelivered();
    expect(trial.kills).toBe(KILLS);
    expect(acknowledged.length).toBeGreaterThan(0.7 * messages);

    const accepted = Map.groupBy(trial.accepted(), ({ key }) => key);
    const expected = acknowledged.flatMap(({ reference, conversation }) =>
      (conversation ? ['teams'] : ['teams', 'mail-staff', 'mail-customer']).map(
        (channel) => `${channel} ${reference}`,
      ),
    );
    expect(expected.filter((key) => !accepted.has(key))).toEqual([]);
    const doubled = [...accepted].filter(
      ([key, each]) =>
        each.filter(({ answerLost }) => !answerLost).length > 1 + (trial.cutOff.get(key) ?? 0),
    );
    expect(doubled.map(([key]) => key)).toEqual([]);
    const firstSeen = ({ reference }: Acknowledged) =>
      accepted.get(`teams ${reference}`)?.[0]?.at ?? 0;
    const threads = await readThreads(testDb.variables);
    const overtaken = acknowledged.filter((later) =>
      acknowledged.some(
        (earlier) =>
          threads.has(later.reference) &&
          threads.get(earlier.reference) === threads.get(later.reference) &&
          earlier.acknowledgedAt < later.sentAt &&
          firstSeen(earlier) > firstSeen(later),
      ),
    );
    expect(overtaken).toEqual([]);
    expect([...(await readDeliveries(testDb.variables, 'failed'))]).toEqual([]);
    if (mailbox instanceof FakeGraph) expect(mailbox.faults).toEqual([]);

    for (const server of trial.servers) await (await server).stop();
    await teams.stop();
    await mailbox.stop();
    await testDb.drop();
  },
);

/** An acknowledged message; a contact message has no conversation. */
interface Acknowledged {
  reference: string;
  conversation: string | null;
  sentAt: number;
  acknowledgedAt: number;
}

class Trial {
  /** Share one database; two of them on PostgreSQL. One at a time is killed. */
  readonly servers: Promise<RunningProcess>[];
  kills = 0;
  /** How often a delivery was accepted, but not stored because the server was killed. */
  readonly cutOff = new Map<string, number>();
  /** What receivers have accepted, in order; `key` is channel and reference. */
  readonly accepted: () => { key: string; at: number; answerLost: boolean }[];
  readonly #messages: number;
  readonly #database: Record<string, string>;
  readonly #variables: Record<string, string>;
  readonly #failures = new Map<string, number>();
  /** Cookies of chat visitors, by conversation. */
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(
    database: Record<string, string>,
    teams: FakeTeams,
    mailbox: Mailbox | FakeGraph,
    messages: number,
  ) {
    this.#messages = messages;
    this.#database = database;
    this.#variables = { ...database, ...teams.variables, ...mailbox.variables };
    const keyOf = (channel: string, text: string) => `${channel} ${/[CT]-\d+/.exec(text)?.[0]}`;
    this.accepted = () =>
      [
        ...teams.accepted.map((card) => ({ ...card, key: keyOf('teams', card.text) })),
        ...mailbox.mails.map((mail) => {
          const forStaff = mail.recipients[0]?.startsWith('desk@');
          const channel = forStaff ? 'mail-staff' : 'mail-customer';
          return { ...mail, key: keyOf(channel, mail.subject ?? '') };
        }),
      ].sort((a, b) => a.at - b.at);
    teams.behaviour = (text) => this.#behave<Behaviour>(text, TEAMS_TROUBLES);
    if (mailbox instanceof FakeGraph)
      mailbox.behaviour = ({ messageId = '' }) =>
        this.#behave<GraphBehaviour>(messageId, GRAPH_TROUBLES);
    else
      mailbox.behaviour = ({ messageId = '' }) =>
        this.#behave<MailBehaviour>(messageId, MAIL_TROUBLES);
    const servers = inject('engine') === 'postgres' ? 2 : 1;
    this.servers = Array.from({ length: servers }, () => startServer(this.#variables));
  }

  async sendAll(): Promise<Acknowledged[]> {
    const acknowledged: Acknowledged[] = [];
    let next = 0;
    const sender = async () => {
      for (let index = next++; index < this.#messages; index = next++) {
        const server = await this.servers[index % this.servers.length];
        const sent = server && (await this.#send(server, index));
        if (sent) acknowledged.push(sent);
      }
    };
    await Promise.all([sender(), sender(), sender(), sender()]);
    return acknowledged;
  }

  async waitUntilDelivered(): Promise<void> {
    const enough = Date.now() + DELIVERY_TIMEOUT_MS;
    for (;;) {
      await Promise.all(this.servers);
      const waiting = await readDeliveries(this.#database, 'waiting');
      if (waiting.size === 0) return;
      if (Date.now() > enough) throw new Error(`still waiting: ${[...waiting].join(', ')}`);
      await pause(500);
    }
  }

  /** A contact message, or one of five conversations. Undefined if it was not acknowledged. */
  async #send({ address }: RunningProcess, index: number): Promise<Acknowledged | undefined> {
    const visitor = new Visitor(address);
    const sentAt = Date.now();
    const conversation = index % 2 === 0 ? null : `conversation ${index % 10}`;
    for (const [name, value] of this.#cookies.get(conversation ?? '') ?? [])
      visitor.cookies.set(name, value);
    const path = conversation ? '/api/teams-chat' : '/api/contact';
    const who = { name: 'Jane Doe', email: `jane-${index}@dealer.example` };
    const body = { ...who, message: `Message number ${index}` };
    const answered = await visitor.post(path, body).catch(() => undefined);
    if (answered === undefined) return undefined;
    // A busy database refuses a message, which is then not acknowledged.
    if (answered.status === 503) return undefined;
    if (conversation) this.#cookies.set(conversation, visitor.cookies);
    expect([path, answered.status, answered.text]).toEqual([path, 200, expect.any(String)]);
    const { reference } = answered.json;
    return { reference, conversation, sentAt, acknowledgedAt: Date.now() };
  }

  #behave<Each>(key: string, troubles: readonly Each[]): Each | 'accept' {
    // A contact message makes three deliveries, a chat message one or two.
    const nextKill = ((this.kills + 1) * this.#messages * 1.5) / (KILLS + 1);
    if (this.kills < KILLS && this.accepted().length >= nextKill) {
      this.kills += 1;
      const [next] = this.servers.splice(0, 1);
      if (next) this.servers.push(this.#killAndRestart(next));
      return 'accept';
    }
    const failures = this.#failures.get(key) ?? 0;
    if (failures >= MAX_FAILURES || Math.random() >= 0.3) return 'accept';
    this.#failures.set(key, failures + 1);
    return troubles[Math.floor(Math.random() * troubles.length)] ?? 'accept';
  }

  async #killAndRestart(server: Promise<RunningProcess>): Promise<RunningProcess> {
    await (await server).stop('SIGKILL');
    // What it sent before it died may still be on its way.
    await pause(300);
    const waiting = await readDeliveries(this.#database, 'waiting');
    const unstored = this.accepted().filter(
      ({ key, answerLost }) => !answerLost && waiting.has(key),
    );
    for (const [key, { length }] of Map.groupBy(unstored, ({ key }) => key))
      this.cutOff.set(key, length);
    return startServer(this.#variables);
  }
}

const TEAMS_TROUBLES: Behaviour[] = [
  ...Array<Behaviour>(6).fill({ status: 500 }),
  ...Array<Behaviour>(5).fill('reset'),
  ...Array<Behaviour>(5).fill('lose the answer'),
  { status: 429, headers: { 'Retry-After': '1' } },
  'hang',
];
const MAIL_TROUBLES: MailBehaviour[] = [
  ...Array<MailBehaviour>(7).fill(451),
  ...Array<MailBehaviour>(6).fill('reset'),
  ...Array<MailBehaviour>(6).fill('lose the answer'),
  'hang',
];

const GRAPH_TROUBLES: GraphBehaviour[] = [
  ...Array<GraphBehaviour>(4).fill({ status: 500 }),
  ...Array<GraphBehaviour>(3).fill({ status: 401 }),
  { status: 429, headers: { 'Retry-After': '1' } },
  ...Array<GraphBehaviour>(4).fill('reset'),
  ...Array<GraphBehaviour>(4).fill('lose the answer'),
  'hang',
];

/** The thread of each chat message. Two sent at once may be in threads of their own. */
async function readThreads(variables: Record<string, string>): Promise<Map<string, number>> {
  const { db, close } = await openUnmigrated(readEnv(variables), { alongsideServer: true });
  const rows = await db.selectFrom('entries').select(['id', 'threadId']).execute();
  await close();
  return new Map(rows.map(({ id, threadId }) => [`T-${id}`, threadId]));
}

/** Channel and reference of each delivery, from the database: the server may be dead. */
async function readDeliveries(
  variables: Record<string, string>,
  state: 'waiting' | 'failed',
): Promise<Set<string>> {
  const { db, close } = await openUnmigrated(readEnv(variables), { alongsideServer: true });
  const rows = await db.selectFrom('outbox').selectAll().where('state', '=', state).execute();
  await close();
  return new Set(
    rows.map(({ channel, kind, subjectId }) => {
      const about = NOTIFICATION_KINDS.find((each) => each.kind === kind);
      return `${channel} ${about?.reference(subjectId)}`;
    }),
  );
}
