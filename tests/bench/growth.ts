/** What one more of everything costs: articles, connections, log lines, orders and chats, by powers of ten. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.server.ts';
import { savedOrders } from '../support/saved-order.ts';
import {
  memoryMegabytes,
  REACHABLE_DEMO,
  SERVER,
  startProcess,
} from '../support/server-process.ts';
import { fillLog } from './fill-log.ts';
import { growthChart } from './growth-chart.ts';
import { figure } from './measure.ts';
import { bullets, table, writePart } from './speed-page.ts';
import { medianOf, signIn } from './staff.ts';
import { generator, keepOffLoad, wrk } from './wrk.ts';

const CHARTS = 'docs/speed';
/** Rows of one statement. */
const AT_ONCE = 1000;
const ARTICLE = 'ftc-safeguards-rule';

type Variables = Record<string, string>;

interface Growth {
  name: string;
  across: string;
  up: string;
  sizes: readonly number[];
  /** The curves at one size; `folder` is empty. */
  measure(size: number, folder: string): Promise<Record<string, number>>;
  /** How many times as much as at `since` the greatest size may cost. */
  atMost?: { times: number; since: number };
}

const GROWTHS: readonly Growth[] = [
  {
    name: 'articles',
    across: 'articles',
    up: 'ms; MB',
    sizes: [10, 100, 1000, 10_000],
    async measure(size, folder) {
      writeArticles(size, folder);
      const site = await startProcess(
        resolve(SERVER),
        { ...REACHABLE_DEMO, DATA_DIR: 'data' },
        folder,
      );
      const ask = (path: string) => fetch(site.address + path);
      await (await ask('/news')).text();
      const measured = {
        'ready, ms': site.readyMs,
        'an article asked first, ms': await medianOf(() =>
          ask(`/news/article-${Math.ceil(Math.random() * size)}`),
        ),
        'memory, MB': memoryMegabytes(site.child),
      };
      await site.stop();
      return measured;
    },
  },
  {
    name: 'connections',
    across: 'connections that ask for the home page without a pause',
    up: 'µs; ms',
    sizes: [1, 8, 64, 512, 2048],
    async measure(size, folder) {
      const site = await startProcess(SERVER, { ...REACHABLE_DEMO, DATA_DIR: folder });
      keepOffLoad(site);
      wrk(site.address, 2, { connections: size });
      const { perSecond, p99Ms } = wrk(site.address, 5, { connections: size });
      const measured = {
        'an answer, µs': 1e6 / perSecond,
        'p99, ms': p99Ms,
        'memory, MB': memoryMegabytes(site.child),
      };
      await site.stop();
      return measured;
    },
  },
  {
    name: 'log',
    across: 'requests in the access log of a day',
    up: 'ms',
    sizes: [1e4, 1e5, 1e6, 1e7],
    atMost: { times: 3, since: 1e5 },
    measure: (size, folder) =>
      screens(folder, (variables) => fillLog(variables, size, Math.ceil(size / 7)), {
        'analytics, ms': '/api/admin/logs/analytics',
        'requests, ms': '/api/admin/logs',
      }),
  },
  {
    name: 'orders',
    across: 'orders',
    up: 'ms',
    sizes: [1e3, 1e4, 1e5, 1e6],
    measure: (size, folder) =>
      screens(
        folder,
        stored(size, (db, first, count) =>
          savedOrders(db, count, { createdAt: first, email: `buyer-${first}@dealer.example` }),
        ),
        {
          'the newest, ms': '/api/admin/orders',
          'one of a name, ms': '/api/admin/orders?find=buyer-1000%40',
          'a person’s, ms': '/api/admin/people?find=buyer-1000%40dealer.example',
        },
      ),
  },
  {
    name: 'chats',
    across: 'open chats of three messages',
    up: 'ms',
    sizes: [1, 10, 100, 1000, 10_000],
    measure: (size, folder) =>
      screens(
        folder,
        stored(size * 3, (db, first, count) => {
          const messages = Array.from({ length: count }, (_, place) => ({
            conversation: `chat-${Math.floor((first + place) / 3)}`,
            name: 'Jane Doe',
            email: 'jane@dealer.example',
            message: 'Is anybody there?',
            response: 'Yes.',
            mark: 'new',
            createdAt: Date.now() - first,
          }));
          return db.insertInto('chatMessages').values(messages).execute();
        }),
        {
          'the newest, ms': '/api/admin/conversations',
          'the counts, ms': '/api/admin/inbox/counts',
        },
      ),
  },
];

/** `npm run bench growth`, which takes about ten minutes. */
export async function benchGrowth(): Promise<void> {
  mkdirSync(CHARTS, { recursive: true });
  const parts: string[] = [];
  for (const { name, across, up, sizes, measure, atMost } of GROWTHS) {
    const rows: [size: number, measured: Record<string, number>][] = [];
    for (const size of sizes) {
      const folder = mkdtempSync(join(tmpdir(), 'site-growth-'));
      rows.push([size, await measure(size, folder)]);
      rmSync(folder, { recursive: true });
      console.log(`        ${name} ${size}: ${JSON.stringify(rows.at(-1)?.[1])}`);
    }
    const curves = Object.keys(rows[0]?.[1] ?? {}).map((curve) => ({
      name: curve,
      points: rows.map(([size, measured]) => [size, measured[curve] ?? Number.NaN] as const),
    }));
    for (const curve of atMost ? curves : []) {
      const cost = (wanted?: number) =>
        curve.points.find(([size]) => size === wanted)?.[1] ?? Number.NaN;
      figure(
        `${name}, ${curve.name}: times as much as with ${atMost?.since}`,
        cost(sizes.at(-1)) / cost(atMost?.since),
        { atMost: atMost?.times ?? 0 },
      );
    }
    writeFileSync(join(CHARTS, `${name}.svg`), growthChart(across, up, curves));
    parts.push(
      `### ${across[0]?.toUpperCase()}${across.slice(1)}`,
      `![${across}](speed/${name}.svg)`,
      table(
        [across, ...curves.map((curve) => curve.name)],
        rows.map(([size, measured]) => [
          `${size}`,
          ...Object.values(measured).map((value) => Number(value.toPrecision(3)).toString()),
        ]),
      ),
    );
  }
  writePart('npm run bench growth', [
    '## How costs grow',
    bullets([
      `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}, SQLite; ${generator()}`,
      'Each line is a fresh site; answers are medians of 15; both axes are logarithmic',
      'All connections begin at once, and Node takes one of them in each turn of its loop: the p99 holds the wait of the last',
    ]),
    ...parts,
  ]);
}

/** Milliseconds of staff's screens, with what `fill` has stored before the start. */
async function screens(
  folder: string,
  fill: (variables: Variables) => Promise<unknown>,
  paths: Record<string, string>,
): Promise<Record<string, number>> {
  const variables = { ...REACHABLE_DEMO, DATA_DIR: folder, LOG_MAX_MB: '8192' };
  await fill(variables);
  const site = await startProcess(SERVER, variables);
  const get = await signIn(site.address);
  const measured: Record<string, number> = {};
  for (const [what, path] of Object.entries(paths))
    measured[what] = await medianOf(() => get(path));
  await site.stop();
  return measured;
}

/** Stores so many rows, step by step. */
function stored(
  rows: number,
  add: (db: Database['db'], first: number, count: number) => Promise<unknown>,
) {
  return async (variables: Variables): Promise<void> => {
    const database = await openDatabase(readEnv(variables));
    for (let first = 0; first < rows; first += AT_ONCE)
      await add(database.db, first, Math.min(AT_ONCE, rows - first));
    await database.close();
  };
}

/** A folder to start the site in, whose only articles are so many copies of one. */
function writeArticles(count: number, folder: string): void {
  cpSync('content', join(folder, 'content'), {
    recursive: true,
    filter: (path) => !/news\/.*\.md$/.test(path),
  });
  symlinkSync(resolve('dist'), join(folder, 'dist'));
  const text = readFileSync(`content/news/${ARTICLE}.md`, 'utf8');
  for (let id = 1; id <= count; id += 1)
    writeFileSync(
      join(folder, `content/news/article-${id}.md`),
      text.replace(/^id: .*$/m, `id: ${id}`).replace(/^title: .*$/m, `title: "Article ${id}"`),
    );
}
