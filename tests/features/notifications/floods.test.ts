/** What strangers can have sent, to staff and to anybody whose address they type. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { eventually } from '../../support/eventually.ts';
import { type Behaviour, FakeTeams } from '../../support/fake-teams.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let teams: FakeTeams;
let mailbox: Mailbox;
let app: TestApp;
beforeEach(async () => {
  teams = await FakeTeams.start();
  mailbox = await Mailbox.start();
  app = await startTestApp({ ...teams.variables, ...mailbox.variables });
});
afterEach(async () => {
  await app.stop();
  await teams.stop();
  await mailbox.stop();
});

async function allDelivered(): Promise<void> {
  await eventually(async () => {
    const open = app.database.db.selectFrom('outbox').select('id').where('state', '!=', 'accepted');
    expect(await open.execute()).toEqual([]);
  });
}

test('120 chat messages from 6 addresses do not delay the card of another visitor', async () => {
  const { promise: held, resolve: answer } = Promise.withResolvers<Behaviour>();
  teams.behaviour = () => held;
  const flood = Array.from({ length: 6 }, () => app.visitor());
  for (let n = 0; n < 20; n += 1) {
    const sent = flood.map((visitor) => visitor.post('/api/teams-chat', { message: `flood ${n}` }));
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
  }
  await app.visitor().post('/api/teams-chat', { message: 'Our phones are down.' });
  answer('accept');
  await eventually(() => expect(teams.accepted.length).toBeGreaterThanOrEqual(7));
  const first = teams.accepted.slice(0, 7).map(({ text }) => text);
  expect(first.filter((text) => text.includes('Our phones are down.'))).toHaveLength(1);
});

test('50 contact messages at once have three confirmations sent to the address', async () => {
  const email = 'victim@example.com';
  const sent = Array.from({ length: 50 }, (_, n) =>
    app
      .visitor()
      .post('/api/contact', { ...SAMPLE_MESSAGE, email, message: `Call me, please ${n}` }),
  );
  for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
  await allDelivered();
  expect(mailbox.to(email)).toHaveLength(3);
  expect(mailbox.to('desk@tidewell.example')).toHaveLength(50);
});

test('strangers have ten emails a day sent to one mailbox, of all kinds and all its spellings together', async () => {
  const spellings = ['victim@example.com', 'Victim+1@example.com', 'vic.tim+a@example.com'];
  const choice = { planId: 1, ms365Option: 'none', ms365Users: 0, includeCloudBackup: false };
  for (const email of spellings) {
    const who = { name: 'Jane Doe', email };
    await app.visitor().post('/api/contact', { ...SAMPLE_MESSAGE, email });
    await app.visitor().post('/api/quotes', { ...who, ...choice });
    await app.visitor().post('/api/safeguards-report', { email, answers: { consumers: 'yes' } });
  }
  const sentTo = () => spellings.flatMap((email) => mailbox.to(email));
  await allDelivered();
  expect(sentTo()).toHaveLength(9);
  for (const email of spellings) {
    const buyer = app.visitor();
    const { status, json } = await buyer.post('/api/create-payment-intent', {
      ...SAMPLE_ORDER,
      email,
    });
    expect(status).toBe(200);
    const { clientSecret } = json;
    await buyer.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  }
  await allDelivered();
  expect(sentTo()).toHaveLength(10);
  // Staff hear of everything all the same.
  const orders = mailbox.to('desk@tidewell.example').map(({ subject = '' }) => subject);
  expect(orders.filter((subject) => subject.startsWith('New order'))).toHaveLength(3);
});
