/** How soon a site is well again, and how well it serves while its database is away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SAMPLE_ORDER } from '../support/call-row.ts';
import { startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { startShift } from '../support/mixed-writes.ts';
import { Postgres } from '../support/postgres.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { Visitor } from '../support/visitor.ts';
import { figure, timed } from './measure.ts';

const ROUNDS = 20;
const BUYERS = 100;
const STOPPED_MS = 10_000;
const SERVED = ['/', '/api/plans', '/checkout?plan=1'];

type Variables = Record<string, string>;

export async function benchRecovery(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const variables = { DATA_DIR: folder };
  await interrupt('SQLite', variables);
  await loseStripe(variables);
  rmSync(folder, { recursive: true });
  if (!findPostgres()) return console.log('PostgreSQL is missing: only SQLite was measured');
  const postgres = await Postgres.create();
  await postgres.start();
  await interrupt('PostgreSQL', { DATABASE_URL: postgres.url });
  await leave(postgres);
  await postgres.remove();
}

const get = async ({ address }: RunningProcess, path: string) =>
  (await new Visitor(address).get(path)).status;

const slowest = (times: readonly number[]) => Math.max(...times);

/** Buyers order while no byte comes from Stripe, at once or after it has made the customer. */
async function loseStripe(variables: Variables): Promise<void> {
  for (const path of [/./, '/v1/subscriptions']) {
    const fake = await startFakeStripe();
    fake.failNext({ how: 'hang', path, times: Number.POSITIVE_INFINITY });
    const server = await startServer({
      ...variables,
      STRIPE_SECRET_KEY: fake.secretKey,
      STRIPE_PUBLISHABLE_KEY: fake.publishableKey,
      STRIPE_WEBHOOK_SECRET: fake.webhookSecret,
      STRIPE_API_URL: fake.url,
    });
    const order = (buyer: number) =>
      timed(() =>
        new Visitor(server.address).post('/api/create-payment-intent', {
          ...SAMPLE_ORDER,
          email: `jane-${buyer}@dealer.example`,
        }),
      );
    const waits = await Promise.all(Array.from({ length: BUYERS }, (_, buyer) => order(buyer)));
    const [p99 = 0] = waits.toSorted((one, other) => other - one).slice(1);
    figure(`p99 of ${BUYERS} orders while Stripe hangs (${path}), ms`, p99, { atMost: 8_000 });
    await server.stop('SIGKILL');
    await fake.close();
  }
}

/** Kills and stops a server during orders. */
async function interrupt(engine: string, variables: Variables): Promise<void> {
  const [starts, stops]: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startServer(variables);
    starts?.push(server.readyMs);
    const shift = startShift(server.address, 8, `${engine}-${round}`);
    await shift.orders(10);
    if (round % 2 === 0) await server.stop('SIGKILL');
    else stops?.push(await timed(() => server.stop()));
    await shift.end();
  }
  figure(`${engine}: ready again after kill -9, ms`, slowest(starts ?? []), { atMost: 3_000 });
  figure(`${engine}: stopped under load, ms`, slowest(stops ?? []), { atMost: STOPPED_MS });
}

/** PostgreSQL restarts, hangs and stays away while customers order. */
async function leave(postgres: Postgres): Promise<void> {
  const variables = { DATABASE_URL: postgres.url };
  const server = await startServer(variables);
  const order = async () =>
    (await new Visitor(server.address).post('/api/create-payment-intent', SAMPLE_ORDER)).status;
  const refusals: number[] = [];
  const returns: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const shift = startShift(server.address, 4, `away-${round}`);
    await shift.orders(5);
    await postgres.stop(round % 2 ? 'fast' : 'immediate');
    refusals.push(await timed(order));
    await postgres.start();
    const wellAgain = async () => {
      while ((await order()) !== 200) await pause(20);
    };
    returns.push(await timed(wellAgain));
    await shift.end();
    refusals.push(...shift.refused.map(({ took }) => took));
  }
  figure('a write refused without PostgreSQL, ms', slowest(refusals), { atMost: 2_000 });
  figure('well again after PostgreSQL is back, ms', slowest(returns), { atMost: 5_000 });
  postgres.freeze();
  const read = async () => {
    for (const path of SERVED) await get(server, path);
  };
  figure('pages and plans while it hangs, ms', await timed(read), { atMost: 3_000 });
  const stop = () => server.stop();
  figure('stopped while it hangs, ms', await timed(stop), { atMost: STOPPED_MS });
  postgres.thaw();
  const other = await startServer(variables);
  await postgres.stop('immediate');
  const stopOther = () => other.stop();
  figure('stopped without PostgreSQL, ms', await timed(stopOther), { atMost: STOPPED_MS });
}
