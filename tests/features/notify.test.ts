import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InvalidEnv, readEnv } from '../../src/platform/env.server.ts';
import { eventually } from '../support/eventually.ts';
import { FakeTeams, SECRET } from '../support/fake-teams.ts';
import { Mailbox } from '../support/mailbox.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import type { Visitor } from '../support/visitor.ts';

const DESK = 'desk@tidewell.example';
const JANE = { name: 'Jane Doe', email: 'jane@dealer.example' };
/** Professional with 12 users of Business Premium and their backup. */
const CHOICE = {
  planId: 2,
  ms365Option: 'business_premium',
  ms365Users: 12,
  includeCloudBackup: true,
  amount: 1173.4,
};

const deliveries = (app: TestApp) =>
  app.database.db.selectFrom('outbox').selectAll().orderBy('id').execute();

describe('a site with Teams and mail', () => {
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

  async function order(visitor: Visitor): Promise<{ orderId: number; clientSecret: string }> {
    const { status, json } = await visitor.post('/api/create-payment-intent', {
      ...JANE,
      ...CHOICE,
    });
    expect(status).toBe(200);
    return json;
  }

  const subjects = (address: string) => mailbox.to(address).map(({ subject }) => subject);

  async function allAccepted(): Promise<void> {
    await eventually(async () => {
      const open = (await deliveries(app)).filter(({ state }) => state !== 'accepted');
      expect(open).toEqual([]);
    });
  }

  test('tells of a contact message under the reference that the visitor was given', async () => {
    const { status, json } = await app
      .visitor()
      .post('/api/contact', { ...JANE, message: 'Our phones are down since nine.' });
    expect(status).toBe(200);
    await allAccepted();
    expect(
      teams.accepted.map(({ text }) => text.includes(`New message ${json.reference}`)),
    ).toEqual([true]);
    expect(subjects(DESK)).toEqual([`New message ${json.reference} from Jane Doe`]);
    expect(subjects(JANE.email)).toEqual([`We have received your message (${json.reference})`]);
  });

  test('tells colleagues of a message in the chat', async () => {
    const { json } = await app
      .visitor()
      .post('/api/teams-chat', { ...JANE, message: 'Is anybody there?' });
    await eventually(() => expect(teams.accepted).toHaveLength(1));
    expect(teams.accepted[0]?.text).toContain(`New chat message ${json.reference}`);
  });

  test('tells staff of a new order and sends its customer one receipt, line by line', async () => {
    const visitor = app.visitor();
    const { orderId, clientSecret } = await order(visitor);
    const pay = () =>
      visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    await Promise.all([pay(), pay(), pay()]);
    const paid = await visitor.post(`/api/orders/${orderId}/update-status`, { status: 'paid' });
    expect(paid.json.status).toBe('paid');
    await allAccepted();
    expect(subjects(DESK)).toEqual([`New order O-${orderId} from Jane Doe`]);
    expect(subjects(JANE.email)).toEqual([`Receipt for your order O-${orderId}`]);
    const [receipt] = mailbox.to(JANE.email);
    expect(receipt?.replyTo).toMatchObject([{ address: 'hello@tidewell.example' }]);
    const rows = receipt?.text?.split('\n').filter((line) => line.includes('$'));
    expect(rows?.map((line) => line.split(/ {2,}/))).toEqual([
      ['Professional plan', '$850.00'],
      [expect.stringMatching(/^Microsoft 365 Business Premium, 12 users × \$22\.00$/), '$264.00'],
      [expect.stringMatching(/backup, 12 users × \$4\.95$/i), '$59.40'],
      ['Total per month', '$1,173.40'],
    ]);
    expect(receipt?.html).toContain('$1,173.40');
    expect(receipt?.text).toContain('Test mode: no money was taken.');
  });

  test('tells staff of each payment that fails, and the customer only of the one that succeeds', async () => {
    const visitor = app.visitor();
    const { orderId, clientSecret } = await order(visitor);
    for (const token of ['declined', 'succeeds']) {
      await visitor.post('/api/test-payments/confirm', { clientSecret, token });
    }
    await allAccepted();
    expect(subjects(DESK)).toEqual([
      `New order O-${orderId} from Jane Doe`,
      `Payment failed for order O-${orderId} from Jane Doe`,
    ]);
    expect(subjects(JANE.email)).toEqual([`Receipt for your order O-${orderId}`]);
  });

  test('sends no second receipt when an order that was past due is paid', async () => {
    const visitor = app.visitor();
    const { orderId, clientSecret } = await order(visitor);
    await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    const colleague = await app.staff();
    for (const status of ['past_due', 'paid']) {
      const set = await colleague.post(`/api/orders/${orderId}/update-status`, { status });
      expect(set.status).toBe(200);
    }
    await allAccepted();
    expect(subjects(JANE.email)).toHaveLength(1);
  });

  test('shows staff what was not accepted, and sends it again at the press of a button', async () => {
    teams.behaviour = () => ({ status: 400 });
    mailbox.behaviour = () => 451;
    const { json } = await app
      .visitor()
      .post('/api/contact', { ...JANE, message: 'Our phones are down.' });
    const colleague = await app.staff();
    await eventually(async () => {
      const { json: list } = await colleague.get('/api/admin/outbox');
      expect(list).toMatchObject({ waiting: 2, setAside: 1 });
      expect(
        list.deliveries.map(({ lastAnswer }: { lastAnswer: string }) => lastAnswer),
      ).not.toContain(null);
    });
    const { json: list, text } = await colleague.get('/api/admin/outbox');
    expect(list.deliveries[0]).toMatchObject({
      channel: 'teams',
      kind: 'contact-received',
      reference: json.reference,
      state: 'set aside',
      tries: 1,
      nextTryAt: null,
      lastAnswer: 'refused (400)',
    });
    expect(text).not.toContain(SECRET);

    teams.behaviour = () => 'accept';
    mailbox.behaviour = () => 'accept';
    for (const { id } of list.deliveries) {
      const { status, json: sent } = await colleague.post(`/api/admin/outbox/${id}/resend`);
      expect([status, sent.state]).toEqual([200, 'waiting']);
    }
    await allAccepted();
    expect([teams.accepted.length, mailbox.mails.length]).toEqual([1, 2]);
    expect((await colleague.get('/api/admin/outbox')).json).toEqual({
      deliveries: [],
      waiting: 0,
      setAside: 0,
    });
    const again = await colleague.post(`/api/admin/outbox/${list.deliveries[0].id}/resend`);
    expect(again.status).toBe(409);
    expect((await colleague.post('/api/admin/outbox/999/resend')).status).toBe(404);
    expect((await colleague.post('/api/admin/outbox/x/resend')).status).toBe(404);
  });

  test('shows the outbox to staff only', async () => {
    expect((await app.visitor().get('/api/admin/outbox')).status).toBe(401);
    expect((await app.visitor().post('/api/admin/outbox/1/resend')).status).toBe(401);
  });

  test('makes no visitor wait for a receiver that hangs', async () => {
    teams.behaviour = () => 'hang';
    mailbox.behaviour = () => 'hang';
    const { status } = await app
      .visitor()
      .post('/api/contact', { ...JANE, message: 'Is it slow?' });
    expect(status).toBe(200);
    // The visitor has an answer before any receiver gave one, or the outbox gave one up.
    expect((await deliveries(app)).map(({ lastAnswer }) => lastAnswer)).toEqual([null, null, null]);
  });
});

describe('a site without Teams and mail', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test('takes messages and orders, and writes nothing that would wait for ever', async () => {
    const visitor = app.visitor();
    expect(
      (await visitor.post('/api/contact', { ...JANE, message: 'Our phones are down.' })).status,
    ).toBe(200);
    expect((await visitor.post('/api/create-payment-intent', { ...JANE, ...CHOICE })).status).toBe(
      200,
    );
    expect(await deliveries(app)).toEqual([]);
  });
});

describe('a configuration that is wrong is told at start, in words', () => {
  const mail = {
    SMTP_URL: 'smtps://mail.dealer.example',
    MAIL_FROM: 'web@dealer.example',
    MAIL_TO: 'Desk <desk@dealer.example>',
  };
  const hook = 'https://prod-1.westus.logic.azure.com/workflows/1?sig=abc';

  test.each([
    [
      'a switched-off connector',
      { TEAMS_WEBHOOK_URL: 'https://dealer.webhook.office.com/webhookb2/1' },
      /switched those off in May 2026.*Workflows/,
    ],
    [
      'its older address',
      { TEAMS_WEBHOOK_URL: 'https://outlook.office.com/webhook/1' },
      /switched those off/,
    ],
    [
      'Teams without encryption',
      { TEAMS_WEBHOOK_URL: 'http://teams.dealer.example/1' },
      /TEAMS_WEBHOOK_URL must begin with https/,
    ],
    ['no address', { TEAMS_WEBHOOK_URL: 'teams' }, /TEAMS_WEBHOOK_URL must be an address/],
    [
      'a password in the address',
      { TEAMS_WEBHOOK_URL: 'https://me:pw@teams.dealer.example/1' },
      /no user name or password/,
    ],
    [
      'an unknown payload',
      { TEAMS_WEBHOOK_URL: hook, TEAMS_PAYLOAD: 'yaml' },
      /TEAMS_PAYLOAD must be envelope or card/,
    ],
    [
      'too fast for Teams',
      { TEAMS_WEBHOOK_URL: hook, TEAMS_PACE_MS: '100' },
      /TEAMS_PACE_MS must be at least 1000/,
    ],
    ['half of mail', { SMTP_URL: mail.SMTP_URL }, /MAIL_FROM is missing[\s\S]*MAIL_TO is missing/],
    [
      'mail by the web',
      { ...mail, SMTP_URL: 'https://mail.dealer.example' },
      /SMTP_URL must be an address that begins with smtp:\/\/ or smtps:\/\//,
    ],
    [
      'options in the mail address',
      { ...mail, SMTP_URL: `${mail.SMTP_URL}/?pool=true` },
      /SMTP_URL must name a server and nothing after it/,
    ],
    [
      'a user without a password',
      { ...mail, SMTP_URL: 'smtps://me@mail.dealer.example' },
      /a user name and a password, or neither/,
    ],
    [
      'a password with a bare percent sign',
      { ...mail, SMTP_URL: 'smtps://me:100%@mail.dealer.example' },
      /%25/,
    ],
    [
      'a sender that is no address',
      { ...mail, MAIL_FROM: 'Tidewell' },
      /MAIL_FROM must be an e-mail address/,
    ],
    [
      'two recipients',
      { ...mail, MAIL_TO: 'a@dealer.example, b@dealer.example' },
      /MAIL_TO must be an e-mail address/,
    ],
  ])('%s', (_name, variables, message) => {
    expect(() => readEnv(variables)).toThrow(InvalidEnv);
    expect(() => readEnv(variables)).toThrow(message);
  });

  test('and what is right is taken', () => {
    const env = readEnv({ ...mail, TEAMS_WEBHOOK_URL: hook });
    expect(env.teams).toEqual({ webhookUrl: hook, payload: 'envelope', paceMs: 1000 });
    expect(env.mail).toEqual({ smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM, to: mail.MAIL_TO });
  });

  test('and no secret is repeated', () => {
    const secret = 'https://me:hunter22@dealer.webhook.office.com/?sig=c2VjcmV0';
    expect(() => readEnv({ TEAMS_WEBHOOK_URL: secret })).toThrow(/^(?![\s\S]*(hunter22|c2VjcmV0))/);
  });
});
