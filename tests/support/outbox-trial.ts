/**
 * Messages through real servers that are killed again and again, towards receivers that fail three times in ten.
 * What must hold at the end is said in outbox-oracle.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Behaviour, FakeTeams } from './fake-teams.ts';
import { type MailBehaviour, Mailbox } from './mailbox.ts';
import {
  type Acceptance,
  type Acknowledged,
  acceptances,
  judge,
  readDeliveries,
  type Verdict,
} from './outbox-oracle.ts';
import { type RunningProcess, startServer } from './server-process.ts';
import { Visitor } from './visitor.ts';

export interface TrialReport extends Verdict {
  acknowledged: number;
  /** Accepted by receivers, doubles included. */
  accepted: number;
  tries: number;
  kills: number;
  setAside: number;
  /** The most acceptances that one kill kept from being written down: no more than may be under way at once. */
  mostCutOff: number;
  seconds: number;
}

interface TrialOptions {
  messages: number;
  /** They share the database, and one at a time is killed; several need PostgreSQL. */
  servers: number;
  kills: number;
  /** However unlucky, one delivery fails no more often than this: the pauses grow to minutes. */
  mostFailures: number;
  /** Leads to an empty database: DATA_DIR or DATABASE_URL. */
  database: Record<string, string>;
  patienceMs: number;
}

export async function tryOutbox(options: TrialOptions): Promise<TrialReport> {
  const began = Date.now();
  const teams = await FakeTeams.start();
  const mailbox = await Mailbox.start();
  const trial = new Trial(options, teams, mailbox);
  try {
    const acknowledged = await trial.sendAll();
    await trial.waitUntilDelivered();
    return {
      acknowledged: acknowledged.length,
      accepted: acceptances(teams, mailbox).length,
      tries: teams.tries + mailbox.tries,
      kills: trial.kills,
      setAside: (await readDeliveries(options.database, 'set aside')).size,
      mostCutOff: trial.mostCutOff,
      seconds: Math.round((Date.now() - began) / 1000),
      ...judge(acknowledged, acceptances(teams, mailbox), trial.cutOff),
    };
  } finally {
    for (const server of trial.servers) await (await server).stop();
    await teams.stop();
    await mailbox.stop();
  }
}

class Trial {
  readonly servers: Promise<RunningProcess>[];
  kills = 0;
  mostCutOff = 0;
  /** How many acceptances of a delivery no server has written down, because it was killed before. */
  readonly cutOff = new Map<string, number>();
  readonly #options: TrialOptions;
  readonly #variables: Record<string, string>;
  readonly #accepted: () => Acceptance[];
  readonly #failures = new Map<string, number>();

  constructor(options: TrialOptions, teams: FakeTeams, mailbox: Mailbox) {
    this.#options = options;
    this.#variables = { ...options.database, ...teams.variables, ...mailbox.variables };
    this.#accepted = () => acceptances(teams, mailbox);
    teams.behaviour = (text) => this.#behave<Behaviour>(text, 'accept', TEAMS_TROUBLES);
    mailbox.behaviour = ({ messageId = '' }) =>
      this.#behave<MailBehaviour>(messageId, 'accept', MAIL_TROUBLES);
    this.servers = Array.from({ length: options.servers }, () => startServer(this.#variables));
  }

  async sendAll(): Promise<Acknowledged[]> {
    const acknowledged: Acknowledged[] = [];
    const chatters: Chatters = new Map();
    let next = 0;
    const sender = async () => {
      for (let index = next++; index < this.#options.messages; index = next++) {
        const server = this.servers[index % this.servers.length];
        const sent = server && (await send(await server, index, chatters));
        if (sent) acknowledged.push(sent);
      }
    };
    await Promise.all([sender(), sender(), sender(), sender()]);
    return acknowledged;
  }

  async waitUntilDelivered(): Promise<void> {
    const { database, patienceMs } = this.#options;
    const enough = Date.now() + patienceMs;
    for (;;) {
      await Promise.all(this.servers);
      const waiting = await readDeliveries(database, 'waiting');
      if (waiting.size === 0) return;
      if (Date.now() > enough) throw new Error(`still waiting: ${[...waiting].join(', ')}`);
      await pause(500);
    }
  }

  #behave<Each>(key: string, healthy: Each, troubles: readonly Each[]): Each {
    const { messages, kills, mostFailures } = this.#options;
    // A contact message makes three deliveries, a chat message one or two; the kills are spread over them.
    const nextKill = ((this.kills + 1) * messages * 1.5) / (kills + 1);
    if (this.kills < kills && this.#accepted().length >= nextKill) {
      this.kills += 1;
      const [next] = this.servers.splice(0, 1);
      if (next) this.servers.push(this.#killAndRestart(next));
      return healthy;
    }
    const failures = this.#failures.get(key) ?? 0;
    if (failures >= mostFailures || Math.random() >= 0.3) return healthy;
    this.#failures.set(key, failures + 1);
    return troubles[Math.floor(Math.random() * troubles.length)] ?? healthy;
  }

  async #killAndRestart(server: Promise<RunningProcess>): Promise<RunningProcess> {
    await (await server).stop('SIGKILL');
    // What it had sent before it died is still on its way.
    await pause(300);
    const waiting = await readDeliveries(this.#options.database, 'waiting');
    const unheard = this.#accepted().filter(
      ({ key, answerLost }) => !answerLost && waiting.has(key),
    );
    let newlyCutOff = 0;
    for (const [key, { length }] of Map.groupBy(unheard, ({ key }) => key)) {
      newlyCutOff += length - (this.cutOff.get(key) ?? 0);
      this.cutOff.set(key, length);
    }
    this.mostCutOff = Math.max(this.mostCutOff, newlyCutOff);
    return startServer(this.#variables);
  }
}

const TEAMS_TROUBLES: Behaviour[] = [
  ...Array<Behaviour>(6).fill({ status: 500 }),
  ...Array<Behaviour>(5).fill('reset'),
  ...Array<Behaviour>(5).fill('lose the answer'),
  { status: 429, headers: { 'Retry-After': '1' } },
  { status: 503, headers: { 'Retry-After': '1' } },
  'hang',
];
const MAIL_TROUBLES: MailBehaviour[] = [
  ...Array<MailBehaviour>(7).fill(451),
  ...Array<MailBehaviour>(6).fill('reset'),
  ...Array<MailBehaviour>(6).fill('lose the answer'),
  'hang',
];

/** The cookies of those who chat, by their conversation. */
type Chatters = Map<string, Map<string, string>>;

/** Every second message is a contact form's, the others belong to five conversations. Undefined when the server was killed meanwhile. */
async function send(
  { address }: RunningProcess,
  index: number,
  chatters: Chatters,
): Promise<Acknowledged | undefined> {
  const visitor = new Visitor(address);
  const sentAt = Date.now();
  const who = { name: 'Jane Doe', email: `jane-${index}@dealer.example` };
  const message = `Message number ${index}`;
  const conversation = index % 2 === 0 ? null : `conversation ${index % 10}`;
  for (const [name, value] of chatters.get(conversation ?? '') ?? [])
    visitor.cookies.set(name, value);
  const path = conversation ? '/api/teams-chat' : '/api/contact';
  const body = { ...who, message };
  const answered = await visitor.post(path, body).catch(() => undefined);
  if (answered === undefined) return undefined;
  if (conversation) chatters.set(conversation, visitor.cookies);
  if (answered.status !== 200)
    throw new Error(`${path} answered ${answered.status}: ${answered.text}`);
  const { reference } = answered.json;
  return { reference, conversation, sentAt, acknowledgedAt: Date.now() };
}
