/** A service fails: staff are notified once by what still works, and shown it until it is over. */
import { expect, test as onBoth, onTestFinished, vi } from 'vitest';
import { Faults } from '../../../src/notifications/faults.server.ts';
import { DatabaseUnavailable } from '../../../src/platform/database/database-unavailable.server.ts';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { post, sign } from '../../support/fake-stripe/events.ts';
import { FakeTeams } from '../../support/fake-teams.ts';
import { FakeWebhook } from '../../support/fake-webhook.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { ownSiteWithProvider, signInAtWork } from '../../support/openid-provider.ts';
import { openShop, order, type StripeShop, submit } from '../../support/stripe-shop.ts';
import { ownTestApp, type TestApp } from '../../support/test-app.ts';
import { onOneDatabase as test } from '../../support/variant.ts';

async function teams() {
  const fake = await FakeTeams.start();
  onTestFinished(() => fake.stop());
  return fake;
}

async function shop(variables: Record<string, string>): Promise<StripeShop> {
  const opened = await openShop(variables);
  onTestFinished(() => opened.close());
  return opened;
}

/** What staff's screens show. */
async function shown(app: TestApp): Promise<{ service: string; answer: string }[]> {
  return (await (await app.staff()).get('/api/admin/faults')).json.faults;
}
const services = async (app: TestApp) => (await shown(app)).map(({ service }) => service);

onBoth(
  'staff read in Teams, once, that Stripe refuses the key, and on their screens until it takes one again',
  async () => {
    const cards = await teams();
    const METRICS_TOKEN = 'm'.repeat(24);
    const { app, fake } = await shop({ ...cards.variables, METRICS_TOKEN });
    fake.failNext({ how: 'status-401', times: 1_000 });
    for (let buyers = 0; buyers < 3; buyers += 1) await order({ app } as StripeShop).catch(() => 0);
    expect(await shown(app)).toMatchObject([
      { service: 'stripe', answer: 'it refuses the key (401)' },
    ]);
    const told = () => cards.accepted.filter(({ text }) => text.includes('Stripe does not answer'));
    await expect.poll(told).toHaveLength(1);
    const figures = await app
      .visitor()
      .get('/metrics', { Authorization: `Bearer ${METRICS_TOKEN}` });
    expect(figures.text).toContain('site_faults{what="stripe"} 1');

    fake.clearFaults();
    await order({ app } as StripeShop);
    expect(await shown(app)).toEqual([]);
    expect(told()).toHaveLength(1);
  },
);

test('a key that may not read invoices is named as long as it may not, though other calls succeed', async () => {
  const { app, fake } = await shop({});
  const path = '/v1/customers';
  fake.failNext({ how: 'status-403', method: 'POST', path, times: 1_000 });
  await order({ app } as StripeShop).catch(() => 0);
  const permission = { service: 'stripe-permission', answer: 'POST customers is refused (403)' };
  expect(await shown(app)).toMatchObject([permission]);
  fake.clearFaults();
  await order({ app } as StripeShop);
  expect(await shown(app)).toEqual([]);
});

test('events of Stripe that are refused for their signature are named, and those of a stranger are not', async () => {
  const { app, fake, webhook } = await shop({ STRIPE_WEBHOOK_SECRET: 'whsec_of_another_endpoint' });
  const stranger = { id: 'evt_made_up', type: 'invoice.paid' };
  const asked = () => fake.requests.filter(({ path }) => path.startsWith('/v1/events/')).length;
  expect((await app.visitor().post('/api/stripe/webhook', stranger)).status).toBe(400);
  await expect.poll(asked).toBe(1);
  expect(await shown(app)).toEqual([]);
  // Whoever sends many makes the site ask Stripe once a minute.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
  fake.autoDeliver(webhook);
  const { clientSecret } = await order({ app } as StripeShop);
  fake.confirmCard(clientSecret, '4242424242424242');
  await fake.settled();
  await expect.poll(() => services(app)).toEqual(['stripe-webhook']);
  expect(asked()).toBe(2);
});

test.each([
  ['behind', 400],
  ['ahead', -400],
])(
  'a clock that is %s of Stripe’s is named, and not the secret, until an event is taken',
  async (_, seconds) => {
    const { app, fake, webhook } = await shop({});
    const { clientSecret } = await order({ app } as StripeShop);
    fake.confirmCard(clientSecret, '4242424242424242');
    const body = fake.events.at(-1)?.body ?? '';
    const send = (more: number) =>
      post(webhook, body, sign(body, fake.webhookSecret, Math.round(Date.now() / 1000) + more));
    expect(await send(seconds)).toBe(400);
    await expect.poll(() => services(app)).toEqual(['clock']);
    expect(await send(0)).toBe(200);
    expect(await shown(app)).toEqual([]);
  },
);

test('staff read by the ways that still work that email, Teams or the webhook takes nothing', async () => {
  const [cards, mailbox, program] = [
    await teams(),
    await Mailbox.start({ authOptional: false }),
    await FakeWebhook.start(),
  ];
  onTestFinished(async () => void (await Promise.all([mailbox.stop(), program.stop()])));
  const app = await ownTestApp({
    ...cards.variables,
    ...mailbox.variables,
    ...program.variables,
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  });
  await app.visitor().post('/api/contact', SAMPLE_MESSAGE);
  await expect.poll(() => services(app)).toEqual(expect.arrayContaining(['mail', 'webhook']));
  const told = (words: string) => cards.accepted.filter(({ text }) => text.includes(words));
  await expect.poll(() => told('Email does not leave')).toHaveLength(1);
  await expect.poll(() => told('The webhook takes no events')).toHaveLength(1);
});

onBoth('staff are told once of what several instances see fail at the same moment', async () => {
  const app = await ownTestApp();
  const notify = vi.fn(async () => {});
  const instances = Array.from({ length: 9 }, () => new Faults(app.database.db, notify));
  const sure = { sure: true };
  await Promise.all(instances.map((faults) => faults.failed('mail', 'no connection', sure)));
  expect(notify).toHaveBeenCalledOnce();
  expect(await services(app)).toEqual(['mail']);
});

test('what fails for a moment, and again days later, is no fault', async () => {
  const app = await ownTestApp();
  const faults = new Faults(app.database.db, async () => {});
  vi.useFakeTimers({ toFake: ['Date'] });
  await faults.failed('mail', 'no connection');
  vi.setSystemTime(Date.now() + 2 * 86_400_000);
  await faults.failed('mail', 'no connection');
  expect(await services(app)).toEqual([]);
  vi.setSystemTime(Date.now() + 11 * 60_000);
  await faults.failed('mail', 'no connection');
  expect(await services(app)).toEqual(['mail']);
});

test('what fails for a moment is no fault, and one that lasts is', async () => {
  const mailbox = await Mailbox.start();
  onTestFinished(() => mailbox.stop());
  const app = await ownTestApp(mailbox.variables);
  mailbox.behaviour = () => 421;
  const again = async () => {
    const { tries } = mailbox;
    await app.database.db.updateTable('outbox').set({ nextTryAt: 0 }).execute();
    await (await app.staff()).post('/api/admin/outbox/1/resend');
    await expect.poll(() => mailbox.tries).toBeGreaterThan(tries);
  };
  await app.visitor().post('/api/contact', SAMPLE_MESSAGE);
  await again();
  expect(await shown(app)).toEqual([]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  await again();
  await expect.poll(() => services(app)).toEqual(['mail']);
  mailbox.behaviour = () => 'accept';
  await again();
  await expect.poll(() => services(app)).toEqual([]);
});

test.each([
  [400, 'TriggerInputSchemaMismatch', ['teams']],
  [429, 'AzureResourceManagerRequestThrottled', []],
  [503, 'ServiceUnavailable', []],
])(
  'a workflow that answers %i %s is named at once if somebody must mend it: %j',
  async (status, code, named) => {
    const cards = await teams();
    const app = await ownTestApp(cards.variables);
    cards.behaviour = () => ({ status, body: JSON.stringify({ error: { code } }) });
    await app.visitor().post('/api/contact', SAMPLE_MESSAGE);
    const rows = app.database.db.selectFrom('outbox').select('lastAnswer');
    await expect
      .poll(() => rows.execute())
      .toEqual([{ lastAnswer: `refused (${status} ${code})` }]);
    expect(await services(app)).toEqual(named);
  },
);

test('a secret that the company’s provider no longer takes is named until somebody has signed in with it', async () => {
  const { app, provider } = await ownSiteWithProvider();
  provider.sort = { methods: ['none'], claims: {}, times: { iat: 0, exp: 60 } };
  const colleague = app.visitor();
  expect(await signInAtWork(app.visitor())).not.toBe('in');
  provider.sort = null;
  await expect.poll(() => services(app)).toEqual(['sign-in']);
  provider.people.set('dana', { name: 'Dana', email: 'dana@a.example', roles: ['website-staff'] });
  expect(await signInAtWork(colleague)).toBe('in');
  await expect.poll(() => services(app)).toEqual([]);
});

onBoth(
  'a mail that waits outlives a fault of mail that comes while the database is away',
  async () => {
    const gone = async () => {
      throw new DatabaseUnavailable('gone');
    };
    const app = await ownTestApp();
    const { db } = app.database;
    vi.spyOn(db, 'transaction').mockReturnValue({ execute: gone } as never);
    const faults = new Faults(db, async () => {});
    await faults.failed('mail', 'no connection', { sure: true });
    vi.restoreAllMocks();
    await faults.failed('mail', 'no connection', { sure: true });
    expect(await shown(app)).toMatchObject([{ service: 'mail', answer: 'no connection' }]);
  },
);

test('an account at Stripe that may not charge is named until an order is taken, and its buyer is asked to call', async () => {
  const { app, fake } = await shop({});
  fake.failNext({ how: 'status-400', method: 'POST', path: '/v1/subscriptions', times: 1_000 });
  const refused = await submit(app.visitor());
  expect([refused.status, refused.json.message]).toEqual([
    409,
    expect.stringContaining('Please call us'),
  ]);
  expect(await services(app)).toEqual(['stripe-start']);
  fake.clearFaults();
  await order({ app } as StripeShop);
  expect(await services(app)).toEqual([]);
});
