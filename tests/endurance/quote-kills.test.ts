/** The server dies while a quote is saved, paid, changed or taken back: in the end everything about it agrees. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { quotesDisagree } from '../support/quote-books.ts';
import { AMOUNT, ASKED } from '../support/quote-site.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { sized, testInTurn } from '../support/sized.ts';
import { WITH_MAIL } from '../support/stripe-shop.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

const PRELOAD = join(import.meta.dirname, '../support/die-at.ts');
/** The request that carries this is the first of the story whose steps are counted. */
const COUNTED = { 'X-Count-Steps': 'from here' };
const BY_HAND = { ...ASKED, discount: null, days: 30, send: true };

let ground: TestDatabase;
let variables: Record<string, string>;
beforeAll(async () => {
  ground = await testDatabase();
  variables = { ...ground.variables, ...WITH_MAIL, NODE_OPTIONS: `--import=${PRELOAD}` };
});
afterAll(() => ground.drop());

let people = 0;
async function save({ address }: RunningProcess, headers = {}) {
  people += 1;
  const asked = { ...ASKED, email: `dana-${people}@fox.example` };
  return (await new Visitor(address).post('/api/quotes', asked, headers)).json;
}

/** Begins to pay it, and leaves it there. */
async function begin({ address }: RunningProcess, url: string, headers = {}) {
  const { planId, name, email, ms365Option, ms365Users, includeCloudBackup } = ASKED;
  const choice = { planId, name, email, ms365Option, ms365Users, includeCloudBackup };
  const body = { ...choice, amount: AMOUNT, quote: url.split('/').at(-1) };
  return new Visitor(address).post('/api/create-payment-intent', body, headers);
}

async function staffAt({ address }: RunningProcess) {
  const staff = new Visitor(address);
  await staff.post('/api/admin/login', { username: 'admin', password: 'showroom-demo' });
  return staff;
}

const pathOf = (reference: string) => `/api/admin/quotes/${reference.slice(2)}`;

/** Tells it with a death at each step, until it lives to its end. Gives the deaths. */
async function killAtSteps(
  [first, stride]: readonly [number, number],
  story: (server: RunningProcess) => Promise<boolean>,
): Promise<number> {
  for (let step = first, died = 0; ; step += stride, died += 1) {
    const server = await startServer({ ...variables, DIE_AT: String(step) });
    const finished = await story(server).catch(() => false);
    await server.stop(finished ? 'SIGTERM' : 'SIGKILL');
    if (finished) return died;
  }
}

testInTurn(0)('killed while one is saved', { timeout: 3_600_000 }, async () => {
  const died = await killAtSteps(sized([2, 3], [1, 1]), async (server) =>
    Boolean((await save(server, COUNTED)).reference),
  );
  expect(died).toBeGreaterThan(sized(1, 5));
});

testInTurn(1)(
  'killed while somebody pays what another has begun',
  { timeout: 3_600_000 },
  async () => {
    const died = await killAtSteps(sized([4, 11], [1, 1]), async (server) => {
      const { url } = await save(server);
      await begin(server, url);
      const second = await begin(server, url, COUNTED);
      if (second.status !== 200) return false;
      const { clientSecret } = second.json;
      const paid = await new Visitor(server.address).post('/api/test-payments/confirm', {
        clientSecret,
        token: 'succeeds',
      });
      return paid.status === 200;
    });
    expect(died).toBeGreaterThan(sized(1, 20));
  },
);

for (const [turn, what, path, body] of [
  [0, 'change', '', BY_HAND],
  [1, 'withdraw', '/withdraw', undefined],
] as const)
  testInTurn(turn)(
    `killed while staff ${what} one that was begun`,
    { timeout: 3_600_000 },
    async () => {
      const died = await killAtSteps(sized([5, 13], [1, 1]), async (server) => {
        const { url, reference } = await save(server);
        await begin(server, url);
        const staff = await staffAt(server);
        return (await staff.post(pathOf(reference) + path, body, COUNTED)).status === 200;
      });
      expect(died).toBeGreaterThan(sized(1, 15));
    },
  );

test('after all that, quotes, links, orders and letters agree', { timeout: 60_000 }, async () => {
  const server = await startServer(variables);
  await server.stop();
  const database = await openDatabase(readEnv(variables));
  try {
    expect(await quotesDisagree(database.db)).toEqual([]);
  } finally {
    await database.close();
  }
});
