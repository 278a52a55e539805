/** Open streams: what 2,000 of them cost, and how soon an answer is in a panel. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { MAX_STREAMS } from '../../src/limits.ts';
import { UNDO_MS } from '../../src/threads/thread.ts';
import { memoryMegabytes, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { figure, median } from './measure.ts';
import { keepOffLoad, wrk } from './wrk.ts';

const SECONDS = 5;
const ANSWERS = 40;
/** Of one conversation. */
const PANELS = 5;

export async function benchStreams(): Promise<void> {
  const site = await startServer({ DATA_DIR: temporaryFolder() });
  keepOffLoad(site);
  const home = () => median([1, 2, 3].map(() => wrk(site.address, SECONDS).perSecond));
  const panels: Panel[] = [];
  const conversations = MAX_STREAMS / PANELS;
  for (let each = 0; each < conversations; each += 1) {
    const visitor = new Visitor(site.address);
    await visitor.post('/api/teams-chat', { message: 'Anybody there?' });
    panels.push({ visitor, seen: new Map() });
  }
  home();
  const memoryBefore = memoryMegabytes(site.child);
  const before = home();
  await Promise.all(panels.map((panel) => openPanel(panel)));
  for (let each = 1; each < PANELS; each += 1)
    await Promise.all(panels.map((panel) => openPanel(panel)));
  await setTimeout(20_000);
  const memory = memoryMegabytes(site.child) - memoryBefore;
  figure(`memory of ${MAX_STREAMS} open streams, MB`, memory, { atMost: 100 });
  const late = await answerAll(site.address, panels);
  figure('an answer is in the panel after it has left, p95, ms', late, { atMost: 1_000 });
  const beside = home();
  agent.destroy();
  await setTimeout(2_000);
  // On both sides of it: the machine may have become slower.
  const share = beside / median([before, home()]);
  figure(`rate of the home page beside ${MAX_STREAMS} streams`, share, { atLeast: 0.9 });
  await site.stop();
}

interface Panel {
  visitor: Visitor;
  /** The entries, with the time at which they were fetched. */
  seen: Map<string, number>;
}

const agent = new Agent({ keepAlive: true });

async function openPanel(panel: Panel): Promise<void> {
  const { origin, cookies, address } = panel.visitor;
  const headers = { Cookie: `chat=${cookies.get('chat')}`, 'X-Forwarded-For': address };
  const asking = request(`${origin}/api/chat/events`, { headers, agent }).end();
  const [answer]: IncomingMessage[] = await once(asking, 'response');
  if (answer?.statusCode !== 200) throw new Error(`a stream was refused: ${answer?.statusCode}`);
  answer.setEncoding('utf8').on('data', async (text: string) => {
    if (!text.includes('event: conversation')) return;
    const { json } = await panel.visitor.get('/api/chat/conversation');
    for (const entry of json.entries)
      if (!panel.seen.has(entry.text)) panel.seen.set(entry.text, Date.now());
  });
}

/** Answers in some conversations; returns the p95 of the delay until the panel has it. */
async function answerAll(origin: string, panels: readonly Panel[]): Promise<number> {
  const staff = await signedIn(origin);
  const threads = (await staff.get('/api/admin/contacts?page=1')).json;
  const left = new Map<string, number>();
  for (const [place, { id }] of threads.slice(0, ANSWERS).entries()) {
    const text = `Answer ${place}`;
    const body = { kind: 'staff', text, after: 2 ** 31 - 1, key: crypto.randomUUID() };
    const { json } = await staff.post(`/api/admin/threads/${id}/entries`, body);
    left.set(text, Date.parse(json.entries.at(-1).at));
    await setTimeout(337);
  }
  await setTimeout(UNDO_MS + 3_000);
  const seenAt = (text: string) =>
    panels.map(({ seen }) => seen.get(text)).find((time) => time !== undefined);
  const delays = [...left].map(([text, at]) => (seenAt(text) ?? Number.POSITIVE_INFINITY) - at);
  delays.sort((one, other) => one - other);
  return delays[Math.ceil(delays.length * 0.95) - 1] ?? Number.NaN;
}
