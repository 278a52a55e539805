/** What visitors write by mail arrives in their thread, and nothing else does. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test as onBoth, vi } from 'vitest';
import { contactReference } from '../../../src/contact/contact.ts';
import { readEnv } from '../../../src/env.server.ts';
import { readReplies } from '../../../src/mailbox/replies.server.ts';
import { Faults, openFaults } from '../../../src/notifications/faults.server.ts';
import { ownAddresses } from '../../../src/notifications/own-address.server.ts';
import { PRICE_NOTIFICATIONS } from '../../../src/price-changes/deliver-notice.server.ts';
import { UNDO_MS } from '../../../src/threads/thread.ts';
import { changeThread } from '../../../src/threads/thread-store.server.ts';
import { FakeGraph, type InboxMail } from '../../support/fake-graph.ts';
import { ownContent } from '../../support/own-content.ts';
import { customer, TEN_USERS } from '../../support/own-page.ts';
import { pricesPage } from '../../support/price-site.ts';
import { siteWith } from '../../support/site-with.ts';
import { insertSubmission } from '../../support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { onOneDatabase as test } from '../../support/variant.ts';
import type { Visitor } from '../../support/visitor.ts';

const JANE = 'jane@dealer.example';

let graph: FakeGraph;
let app: TestApp;
let staff: Visitor;
beforeEach(async () => {
  graph = await FakeGraph.start();
  // Its own look, every 30 s, would come between those of a test.
  app = await startTestApp(graph.variables);
  staff = await app.staff();
  await look();
});
afterEach(async () => {
  await app.stop();
  expect(graph.faults).toEqual([]);
  await graph.stop();
});

/** An instance that has just started. */
function instance() {
  const { db } = app.database;
  const env = readEnv({ ...graph.variables, GRAPH_REPLIES: 'on' });
  const isOwnAddress = ownAddresses(env.mail, ownContent().company);
  const faults = new Faults(db, async () => {});
  const outbox = { faults, kinds: PRICE_NOTIFICATIONS, notify: async () => {} } as never;
  const [reading] = readReplies(siteWith({ env, db, isOwnAddress, outbox }));
  if (!reading) throw new Error('replies are not read');
  return reading;
}

async function look(): Promise<void> {
  const reading = instance();
  await reading.start();
  await reading.stop();
}

/** A message from Jane, stored without a mail to her: Graph sends one in five seconds. */
const written = () =>
  insertSubmission(app, {
    ...{ email: JANE, message: 'Our phones drop calls.', createdAt: Date.now() - 60_000 },
  });

/** Our answer to it, as it was mailed. */
async function answered() {
  const id = await written();
  const body = { kind: 'staff', text: 'Since when?', after: 1_000_000, key: randomUUID() };
  await staff.post(`/api/admin/threads/${id}/entries`, body);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * UNDO_MS });
  await expect.poll(() => graph.to(JANE)).toHaveLength(1);
  return { id, messageId: graph.to(JANE)[0]?.messageId ?? '' };
}

const open = async (id: number) => (await staff.get(`/api/admin/threads/${id}`)).json;
const entriesOf = async (id: number) => {
  const { entries } = await open(id);
  return entries.map(({ kind, text, author }: Record<string, unknown>) => ({ kind, text, author }));
};

const reply = (messageId: string, change: Partial<InboxMail> = {}): InboxMail => ({
  from: JANE,
  subject: 'Re: our phones',
  text: 'Since Monday.',
  headers: { 'In-Reply-To': messageId, References: messageId },
  ...change,
});

/** That what was mailed with these Message-IDs has come back. */
const report = (References: string, type = 'report-type=delivery-status'): InboxMail => ({
  ...{ from: 'postmaster@outlook.example', subject: 'Undeliverable', text: '550 5.1.1' },
  headers: { References, 'Content-Type': `multipart/report; ${type}; boundary=x` },
});

onBoth('a reply arrives in its thread as the visitor’s, once, and the thread waits', async () => {
  const { id, messageId } = await answered();
  graph.receive(reply(messageId, { files: ['phones.pdf'] }));
  await look();
  await look();
  expect((await entriesOf(id)).slice(1)).toMatchObject([
    { kind: 'staff', text: 'Since when?' },
    { kind: 'visitor', text: 'Since Monday.\n\nIn the mailbox: phones.pdf', author: JANE },
  ]);
  expect(await open(id)).toMatchObject({ status: 'waiting', message: 'Since Monday.' });
});

onBoth(
  'where Exchange has replaced our Message-ID, the reference in the subject finds the thread',
  async () => {
    const id = await written();
    const headers = { 'In-Reply-To': '<abc@exchange.example>' };
    const subject = `AW: Re: Your inquiry (${contactReference(id)})`;
    graph.receive(reply('', { from: 'Jane@Dealer.example', headers, subject }));
    await look();
    expect((await entriesOf(id)).at(-1)).toMatchObject({ kind: 'visitor', text: 'Since Monday.' });
  },
);

onBoth(
  'a reply from an international domain, which mail writes in ASCII, is the visitor’s',
  async () => {
    const id = await insertSubmission(app, {
      ...{ email: 'Jane@Bücher.example', message: 'Hello', createdAt: Date.now() - 60_000 },
    });
    const subject = `Re: Your inquiry (${contactReference(id)})`;
    graph.receive(reply('', { from: 'jane@xn--bcher-kva.example', headers: {}, subject }));
    await look();
    expect((await entriesOf(id)).at(-1)).toMatchObject({ kind: 'visitor', text: 'Since Monday.' });
  },
);

test('a reply from another spelling of the visitor’s mailbox is theirs, and the thread waits', async () => {
  const { id, messageId } = await answered();
  await changeThread(app.database.db, id, { email: 'Jane.Doe+site@gmail.com' });
  graph.receive(reply(messageId, { from: 'janedoe@googlemail.com' }));
  await look();
  expect((await entriesOf(id)).at(-1)).toMatchObject({ kind: 'visitor' });
  expect(await open(id)).toMatchObject({ status: 'waiting' });
});

onBoth(
  'a colleague of the visitor is shown by their own address, and changes nothing else',
  async () => {
    const { id, messageId } = await answered();
    graph.receive(reply(messageId, { from: 'tom@dealer.example' }));
    await look();
    expect((await entriesOf(id)).at(-1)).toEqual({
      ...{ kind: 'third-party', text: 'Since Monday.', author: 'tom@dealer.example' },
    });
    expect(await open(id)).toMatchObject({ status: 'answered', email: JANE, messages: 1 });
  },
);

/** As long as a signature of ours. */
const SIGNED = 'a'.repeat(32);

const NOT_REPLIES: [string, (reference: string) => Partial<InboxMail>][] = [
  ['a stranger with its reference', (subject) => ({ from: 'eve@else.example', subject })],
  [
    'a forged Message-ID',
    () => ({ from: 'eve@else.example', headers: { References: `<outbox-1-${SIGNED}@x.example>` } }),
  ],
  ['another mail of hers', () => ({ headers: {}, subject: 'Invoice' })],
  ['our own address', (subject) => ({ from: 'web@tidewell.example', subject })],
  ['an absence', (subject) => ({ subject, headers: { 'Auto-Submitted': 'auto-replied' } })],
  ['Outlook’s absence', (subject) => ({ subject, headers: { 'X-Auto-Response-Suppress': 'All' } })],
  ['a mail server’s absence', (subject) => ({ subject, headers: { 'X-Autoreply': 'yes' } })],
  ['a bulk mail', (subject) => ({ subject, headers: { Precedence: 'bulk' } })],
  ['a mailing list', (subject) => ({ subject, headers: { 'List-Id': '<a.example>' } })],
  ['a mailer', (subject) => ({ subject, from: 'MAILER-DAEMON@dealer.example' })],
];

onBoth('nothing in a thread comes of strangers, of machines and of other mails', async () => {
  const ids: number[] = [];
  for (const [, change] of NOT_REPLIES) {
    const id = await written();
    ids.push(id);
    graph.receive(reply('', { headers: {}, ...change(`Re: ${contactReference(id)}`) }));
  }
  await look();
  const threads = await Promise.all(ids.map(entriesOf));
  expect(NOT_REPLIES.filter((_, at) => threads[at]?.length !== 1)).toEqual([]);
  expect(await openFaults(app.database.db)).toEqual([]);
});

test.each([
  ['Exchange marks against absences', { 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' }],
  ['comes through a Google Group', { Precedence: 'list', 'List-Id': '<sales.dealer.example>' }],
])('a reply that %s arrives', async (_, more) => {
  const { id, messageId } = await answered();
  graph.receive(reply(messageId, { headers: { 'In-Reply-To': messageId, ...more } }));
  await look();
  expect((await entriesOf(id)).at(-1)).toMatchObject({ kind: 'visitor', text: 'Since Monday.' });
});

onBoth('an email that names a number too large for us keeps no reply back', async () => {
  const { id, messageId } = await answered();
  const headers = { References: `<outbox-9999999999-${SIGNED}@x.example>` };
  graph.receive(reply('', { from: 'eve@else.example', headers }));
  graph.receive(reply(messageId));
  await look();
  expect((await entriesOf(id)).at(-1)).toMatchObject({ kind: 'visitor', text: 'Since Monday.' });
});

onBoth('an email from what is no address keeps no reply back', async () => {
  const { id, messageId } = await answered();
  const long = randomBytes(3_000).toString('hex');
  for (const name of ['e\0ve', long])
    graph.receive(reply(messageId, { from: `${name}@x.example` }));
  graph.receive(reply(messageId));
  await look();
  expect((await entriesOf(id)).slice(2)).toMatchObject([{ kind: 'visitor', author: JANE }]);
});

onBoth('a reply to an erased thread is left in the mailbox', async () => {
  const { id, messageId } = await answered();
  await staff.post('/api/admin/people/erase', { email: JANE });
  graph.receive(reply(messageId));
  await look();
  expect((await staff.get(`/api/admin/threads/${id}`)).status).toBe(404);
  expect(await openFaults(app.database.db)).toEqual([]);
});

test('of five megabytes of HTML, and of a picture alone, staff read that the mailbox has the email', async () => {
  const { id, messageId } = await answered();
  graph.receive(reply(messageId, { html: true, text: '<p>x</p>'.repeat(650_000) }));
  graph.receive(reply(messageId, { text: '\r\n \u00a0' }));
  await look();
  const read = { kind: 'visitor', text: 'The mailbox has all of this email.' };
  expect((await entriesOf(id)).slice(2)).toMatchObject([read, read]);
});

describe('a report about an answer', () => {
  /** What staff read of the answer once these reports have come. */
  async function reported(...reports: { text: string; type?: string; subject?: string }[]) {
    const { id, messageId } = await answered();
    const delivery = async () => (await open(id)).entries.at(-1).delivery;
    await expect.poll(delivery).toMatchObject({ state: 'mailed' });
    for (const { type, ...change } of reports)
      graph.receive({ ...report(messageId, type), ...change });
    await look();
    return delivery();
  }

  test.each([
    ['Remote: 550 5.1.1', `${JANE} does not exist (550)`],
    ['550 4.4.7 QUEUE.Expired; 451 4.4.0', `${JANE}: came back (550 4.4.7)`],
    ['Diese Mailbox ist geschlossen', `${JANE}: came back`],
    ['Action: failed\nStatus: 4.4.7\n451 4.4.7 expired', `${JANE}: came back (451 4.4.7)`],
  ])('that could not be delivered is shown at it: %s', async (text, answer) => {
    expect(await reported({ text })).toMatchObject({ state: 'failed', answer });
  });

  test('that was delayed, and read, leaves it as it is', async () => {
    const type = 'report-type=disposition-notification';
    const delayed = { text: 'Delivery is delayed. The server goes on trying: 451 4.4.1' };
    // As Exim 4.96 writes it.
    const warning = {
      subject: 'Warning: message 1xXzrp-0007rn-1i delayed 24 hours',
      text: 'The address to which the message has not yet been delivered is:\n\n  Delay reason: Connection timed out',
    };
    expect(await reported(delayed, warning, { text: 'Read', type })).toMatchObject({
      state: 'mailed',
    });
  });
});

test('a report about the second answer, which names both as its references, leaves the first as it is', async () => {
  const { id } = await answered();
  const deliveries = async () =>
    (await open(id)).entries.flatMap(({ delivery }: { delivery: { state: string } | null }) =>
      delivery ? [delivery.state] : [],
    );
  await expect.poll(deliveries).toEqual(['mailed']);
  const body = { kind: 'staff', text: 'Hello?', after: 1_000_000, key: randomUUID() };
  await staff.post(`/api/admin/threads/${id}/entries`, body);
  vi.setSystemTime(Date.now() + 2 * UNDO_MS);
  await expect.poll(deliveries, { timeout: 15_000 }).toEqual(['mailed', 'mailed']);
  const { messageId, references } = graph.to(JANE)[1] ?? {};
  // As Exim writes it.
  graph.receive(report(`${references} ${messageId}`));
  await look();
  expect(await deliveries()).toEqual(['mailed', 'failed']);
});

onBoth('a report that names an email by its number and time alone changes nothing', async () => {
  const { id } = await answered();
  const delivery = async () => (await open(id)).entries.at(-1).delivery;
  await expect.poll(delivery).toMatchObject({ state: 'mailed' });
  const sent = await app.database.db.selectFrom('outbox').selectAll().execute();
  const guesses = sent.map((row) => `<outbox-${row.id}-${row.createdAt.toString(36)}@x.example>`);
  graph.receive(report(guesses.join(' ')));
  await look();
  expect(await delivery()).toMatchObject({ state: 'mailed' });
});

/** A notice of terms that Graph has taken, and the reports that come back of it. */
async function noticed() {
  const { orderId } = await customer(app);
  const prices = pricesPage(() => staff);
  const { today } = (await staff.get('/api/admin/prices')).json;
  await prices.giveTerms([orderId], today);
  const mail = () => graph.to(TEN_USERS.email).find(({ subject }) => subject?.includes('terms'));
  await expect.poll(async () => (await prices.row(orderId)).terms?.mail).toBe('accepted');
  async function comesBack(): Promise<void> {
    graph.receive(report(mail()?.messageId ?? ''));
    await look();
  }
  return { orderId, prices, comesBack };
}

test('a report of before a notice was sent again withdraws nothing', async () => {
  const { orderId, prices, comesBack } = await noticed();
  const settledAt = Date.now() + 120_000;
  const { db } = app.database;
  await db.updateTable('outbox').set({ settledAt }).where('kind', 'like', '%terms%').execute();
  await comesBack();
  expect(await prices.row(orderId)).toMatchObject({ terms: { state: 'announced' } });
});

test('a notice that comes back is withdrawn, as one that was refused', async () => {
  const { orderId, prices, comesBack } = await noticed();
  await comesBack();
  const terms = { state: 'withdrawn', reason: 'undelivered', mail: 'failed' };
  expect(await prices.row(orderId)).toMatchObject({ terms });
});

describe('faults of Microsoft Graph:', () => {
  onBoth(
    'replies in many pages, through refusals and links that expire, all arrive once, in order',
    async () => {
      const { id, messageId } = await answered();
      const texts = Array.from({ length: 120 }, (_, number) => `Line ${number}`);
      for (const text of texts) graph.receive(reply(messageId, { text }));
      let asked = 0;
      graph.readBehaviour = () => {
        asked += 1;
        if (asked % 40 === 0) return { status: 429, headers: { 'Retry-After': '1' } };
        if (asked % 55 === 0) return 'reset';
        if (asked === 70) graph.expireLinks();
        return 'accept';
      };
      const arrived = async () =>
        (await entriesOf(id)).filter(({ kind }: { kind: string }) => kind === 'visitor').slice(1);
      await expect
        .poll(async () => {
          await Promise.all([look(), look()]);
          return (await arrived()).length;
        })
        .toBe(texts.length);
      await look();
      expect((await arrived()).map(({ text }: { text: string }) => text)).toEqual(texts);
    },
  );

  test.each([
    { status: 400, code: 'ErrorInvalidSyncStateData' },
    { status: 404, code: 'ErrorItemNotFound' },
  ])(
    'in a mailbox that was made anew, replies arrive though the link answers $status',
    async (answer) => {
      const { id, messageId } = await answered();
      await look();
      graph.expireLinks(answer);
      graph.receive(reply(messageId, { text: 'In the new mailbox.' }));
      await look();
      expect((await entriesOf(id)).at(-1)).toMatchObject({ text: 'In the new mailbox.' });
    },
  );

  test.each([
    [
      'that Graph always answers 500',
      'Two.',
      { status: 500, code: 'ErrorContentConversionFailed' },
    ],
    ['that Graph always answers 400', 'Two.', { status: 400, code: 'ErrorInvalidMailboxItemId' }],
    ['of 17 MB of text', 'x'.repeat(17 * 1024 * 1024), 'accept'],
  ] as const)('one email %s is named, and keeps no other one back', async (_, text, behaviour) => {
    const { id, messageId } = await answered();
    for (const each of ['One.', text, 'Three.']) graph.receive(reply(messageId, { text: each }));
    graph.readBehaviour = (url) => (url.includes('/AAk2?') ? behaviour : 'accept');
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
    const reading = instance();
    await reading.start();
    const texts = async () => (await entriesOf(id)).map((entry: { text: string }) => entry.text);
    expect((await texts()).slice(2)).toEqual(['One.', 'Three.']);
    await vi.advanceTimersByTimeAsync(30_000);
    vi.setSystemTime(Date.now() + 11 * 60_000);
    await vi.advanceTimersByTimeAsync(30_000);
    await expect
      .poll(() => openFaults(app.database.db))
      .toMatchObject([
        { what: 'replies', answer: expect.stringMatching(/^the email of 20\S+Z: not read/) },
      ]);
    await reading.stop();
  });

  test('what was erased does not come back while another email beside it cannot be read', async () => {
    const { id, messageId } = await answered();
    for (const text of ['One.', 'Two.']) graph.receive(reply(messageId, { text }));
    graph.readBehaviour = (url) => (url.includes('/AAk2?') ? { status: 500 } : 'accept');
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
    const reading = instance();
    await reading.start();
    expect((await entriesOf(id)).at(-1)).toMatchObject({ text: 'One.' });
    await app.database.db.deleteFrom('entries').where('text', '=', 'One.').execute();
    const { reads } = graph;
    await vi.advanceTimersByTimeAsync(30_000);
    await expect.poll(() => graph.reads).toBeGreaterThan(reads + 1);
    await reading.stop();
    expect((await entriesOf(id)).at(-1)).toMatchObject({ text: 'Since when?' });
  });

  test('while the mailbox is on the move no reply is lost, and nobody is alarmed', async () => {
    const { id, messageId } = await answered();
    for (const text of ['One.', 'Two.']) graph.receive(reply(messageId, { text }));
    graph.readBehaviour = (url) =>
      url.includes('/messages/AAk')
        ? { status: 404, code: 'MailboxNotEnabledForRESTAPI' }
        : 'accept';
    await look();
    expect(await openFaults(app.database.db)).toEqual([]);
    graph.readBehaviour = () => 'accept';
    await look();
    const texts = (await entriesOf(id)).map(({ text }: { text: string }) => text);
    expect(texts.slice(2)).toEqual(['One.', 'Two.']);
  });

  test('one email that Graph never gives is left in the mailbox after an hour, for all that follow', async () => {
    const { id, messageId } = await answered();
    for (let number = 1; number <= 60; number++) graph.receive(reply(messageId));
    graph.readBehaviour = (url) => (url.includes('/AAk1?') ? { status: 500 } : 'accept');
    await look();
    vi.setSystemTime(Date.now() + 61 * 60_000);
    await look();
    expect((await entriesOf(id)).slice(2)).toHaveLength(59);
  });

  test('an app without the right to read is told to staff, until it has it', async () => {
    graph.mayRead = false;
    await look();
    expect(await openFaults(app.database.db)).toMatchObject([
      { what: 'replies', answer: expect.stringMatching(/Mail\.Read.*403, ErrorAccessDenied/) },
    ]);
  });

  onBoth('what comes while the very first look fails is read by a later one', async () => {
    const id = await written();
    await app.database.db.deleteFrom('mailboxReading').execute();
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
    graph.mayRead = false;
    const reading = instance();
    await reading.start();
    vi.setSystemTime(Date.now() + 10_000);
    graph.receive(reply('', { subject: `Re: ${contactReference(id)}`, headers: {} }));
    graph.mayRead = true;
    vi.setSystemTime(Date.now() + 20_000);
    await vi.advanceTimersByTimeAsync(30_000);
    await expect.poll(async () => (await entriesOf(id)).length).toBe(2);
    await reading.stop();
  });

  test('as long as Graph asks for patience, it is not asked again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    graph.readBehaviour = () => ({ status: 429, headers: { 'Retry-After': '100' } });
    const reading = instance();
    await reading.start();
    const before = graph.reads;
    for (let look = 0; look < 3; look++) await vi.advanceTimersByTimeAsync(30_000);
    expect(graph.reads).toBe(before);
    await vi.advanceTimersByTimeAsync(30_000);
    await expect.poll(() => graph.reads).toBe(before + 1);
    await reading.stop();
  });
});
