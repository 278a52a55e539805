/** Staff answer in a thread: what is stored, what leaves, and what the next colleague finds. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { tablesWith } from '../../tests/support/every-row.ts';
import { DESK } from '../../tests/support/mailbox.ts';
import { notifiedSite, WITHOUT_MAIL } from '../../tests/support/notified-site.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { colleague, sendChatMessage } from '../../tests/support/staff-steps.ts';
import { sharedTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { OPEN } from '../../tests/support/test-outbox.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { CORRECTED } from '../chat/chat.ts';
import { SHOWN_WITHIN_MS, UNDO_MS, WATCHED_MS } from '../threads/thread.ts';
import { setWatched } from '../threads/thread-events.server.ts';
import { changeThread } from '../threads/thread-store.server.ts';

const MESSAGE = { name: 'Ann Moore', message: 'Our phones drop calls. Can you look?' };

let people = 0;
const newEmail = () => `ann-${people++}@lakeside.example`;

/** Stores what a visitor sends and returns the thread's id and reference. */
async function write({ app }: { app: TestApp }, email = newEmail()) {
  const { json } = await app.visitor().post('/api/contact', { ...MESSAGE, email });
  return { id: json.contact.id as number, reference: json.reference as string, email };
}

async function chat({ app }: { app: TestApp }, who: object = {}, visitor = app.visitor()) {
  const { thread, reference } = await sendChatMessage(app, visitor, who);
  return { id: thread, reference: String(reference) };
}

const call = (staff: Visitor, id: number, path: string, body?: object) =>
  staff.post(`/api/admin/threads/${id}/${path}`, body);
const open = async (staff: Visitor, id: number) =>
  (await staff.get(`/api/admin/threads/${id}`)).json;
const entry = (change: object = {}) => ({
  kind: 'staff',
  text: 'We will call you today.',
  after: 1,
  key: randomUUID(),
  ...change,
});

/** Lets the time pass in which an answer can be undone, and more. */
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

describe('a site with mail and Teams', () => {
  const site = notifiedSite('all tests');
  let staff: Visitor;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: OPEN });
    staff = await site.app.staff();
  });

  const newest = async (id: number) => (await open(staff, id)).entries.at(-1);
  /** Another instance begins to send the answer's email. */
  const claim = (entryId: number, change: { nextTryAt?: number } = {}) =>
    site.app.database.db
      .updateTable('outbox')
      .set({ tries: 1, claimedBy: 'another instance', ...change })
      .where('subjectId', '=', entryId)
      .where('kind', '=', 'thread-answered')
      .where('channel', '=', 'mail-customer')
      .execute();
  const listed = async (query: string) =>
    (await staff.get(`/api/admin/contacts?page=1&${query}`)).json;
  const answer = async (id: number, change: object = {}) =>
    (await call(staff, id, 'entries', entry(change))).json.entries.at(-1);

  test('an answer to a contact message is mailed as a person’s own words once it can no longer be undone', async () => {
    const { id, reference, email } = await write(site);
    const text = 'Hi Ann,\n\n<b>Tuesday</b> at nine: https://tidewell.example/visit';
    expect(await answer(id, { text })).toMatchObject({
      ...{ kind: 'staff', text, author: 'admin' },
      delivery: { state: 'leaving', at: new Date(OPEN + UNDO_MS).toISOString() },
    });
    await expect.poll(() => site.mailbox.to(email)).toHaveLength(1);
    later(UNDO_MS);
    await expect.poll(() => site.mailbox.to(email)).toHaveLength(2);
    const { company } = ownContent();
    const [, mail] = site.mailbox.to(email);
    expect(mail).toMatchObject({
      subject: `Re: Your inquiry to ${company.name} (${reference})`,
      replyTo: [{ name: company.name, address: company.email }],
    });
    expect(mail?.raw).not.toMatch(/auto-submitted/i);
    expect(mail?.text).toContain(text);
    expect(mail?.text).toContain(`\n\n${company.supportName}\n${company.phone.display}\n\n`);
    expect(mail?.raw).not.toMatch(/\badmin\b/i);
    expect(mail?.html).toContain('&lt;b&gt;Tuesday&lt;/b&gt;');
    await expect.poll(async () => (await newest(id)).delivery.state).toBe('mailed');
  });

  test('a mailed answer quotes what the visitor had written since the last one', async () => {
    const visitor = site.app.visitor();
    const who = { name: 'Ann', email: newEmail() };
    const { id } = await chat(site, { ...who, message: 'Old question?' }, visitor);
    await answer(id);
    for (const message of ['Do you do phones?\nAll of them?', 'And on Sundays?'])
      await chat(site, { ...who, message }, visitor);
    const { id: after } = await newest(id);
    await answer(id, { text: 'Yes, that is possible.', after });
    later(UNDO_MS + SHOWN_WITHIN_MS);
    await expect
      .poll(() => site.mailbox.to(who.email).map(({ text }) => text))
      .toContainEqual(
        expect.stringMatching(
          /Yes, that is possible\.\n\n.*\n.*\n\n_+\nFrom: Ann <.*>\nSent: Friday, November 20, 2026 at 12:00 PM EST\nTo: .*\nSubject: Your inquiry to .*\n\nDo you do phones\?\nAll of them\?\n\nAnd on Sundays\?\s*$/,
        ),
      );
  });

  test('colleagues read in Teams who has answered, and find the thread there', async () => {
    const { id, reference } = await write(site);
    await answer(id);
    later(UNDO_MS);
    await expect
      .poll(() => site.teams.accepted.map(({ text }) => text).join('\n'))
      .toContain(`admin answered ${reference}`);
    const card = site.teams.accepted.find(({ text }) => text.includes(`answered ${reference}`));
    const url = `${site.app.address}/admin?open=${id}`;
    expect(card?.card.actions).toMatchObject([{ url }]);
  });

  /** A panel of the conversation is open, or was until now. */
  const watch = (id: number, watchedAt: number | null = Date.now()) =>
    setWatched(site.app.database.db, [id], watchedAt);

  /** An email that is due now leaves after those that were due before. */
  async function othersAreMailed() {
    const other = await write(site);
    await expect.poll(() => site.mailbox.to(other.email)).toHaveLength(1);
  }

  test('an answer in the chat is mailed once, after a minute in which the open panel has not shown it', async () => {
    const email = newEmail();
    const { id, reference } = await chat(site, { name: 'Ann', email });
    await answer(id);
    for (let seconds = 0; seconds < UNDO_MS / 1000 + 50; seconds += 10) {
      await watch(id);
      await othersAreMailed();
      expect(site.mailbox.to(email)).toEqual([]);
      later(10_000);
    }
    await watch(id);
    later(10_000);
    await expect.poll(() => site.mailbox.to(email)).toHaveLength(1);
    expect(site.subjects(email)[0]).toContain(`(${reference})`);
    await expect.poll(async () => (await newest(id)).delivery.state).toBe('mailed');
  });

  test.each([
    ['has been closed', (id: number) => watch(id, null)],
    ['died without a word', (id: number) => watch(id, Date.now() - WATCHED_MS)],
    [
      'was of a conversation that has ended',
      async (id: number) => {
        await watch(id);
        await changeThread(site.app.database.db, id, { endedAt: Date.now() });
      },
    ],
  ])(
    'an answer in the chat is mailed as soon as it leaves if its panel %s',
    async (_how, close) => {
      const email = newEmail();
      const { id } = await chat(site, { name: 'Ann', email });
      await watch(id);
      await answer(id);
      await close(id);
      later(UNDO_MS);
      await expect.poll(() => site.mailbox.to(email)).toHaveLength(1);
    },
  );

  test('an answer whose panel closes while it waits is mailed within seconds', async () => {
    const email = newEmail();
    const { id } = await chat(site, { name: 'Ann', email });
    await watch(id);
    await answer(id);
    await watch(id, Date.now() + UNDO_MS);
    later(UNDO_MS);
    await othersAreMailed();
    expect(site.mailbox.to(email)).toEqual([]);
    await watch(id, null);
    later(5_000);
    await expect.poll(() => site.mailbox.to(email)).toHaveLength(1);
  });

  describe('to a visitor who changes their address', () => {
    const start = async () => {
      const visitor = site.app.visitor();
      const [typed, right] = [newEmail(), newEmail()];
      const { id } = await chat(site, { name: 'Ann', email: typed }, visitor);
      const change = () =>
        visitor.post(
          '/api/teams-chat',
          { message: 'I mistyped it', name: 'Ann', email: right },
          CORRECTED,
        );
      const { entries } = await open(staff, id);
      return { id, typed, right, change, after: entries.at(-1).id as number };
    };

    test('while staff write, the answer is refused with the new state, and goes there once they have read it', async () => {
      const { id, typed, right, change, after } = await start();
      await change();
      const { status, json } = await call(staff, id, 'entries', entry({ after }));
      expect([status, json.readdressed, json.thread.email]).toEqual([409, true, right]);
      const seen = json.thread.entries.at(-1).id;
      expect((await call(staff, id, 'entries', entry({ after: seen }))).status).toBe(200);
      later(UNDO_MS);
      await expect.poll(() => site.mailbox.to(right)).toHaveLength(1);
      expect(site.mailbox.to(typed)).toEqual([]);
    });

    test('from none, the answer is refused too', async () => {
      const visitor = site.app.visitor();
      const { id } = await chat(site, {}, visitor);
      const { id: after } = await newest(id);
      const email = newEmail();
      await visitor.post('/api/teams-chat', { message: 'Write to me', name: 'Ann', email });
      const { status, json } = await call(staff, id, 'entries', entry({ after }));
      expect([status, json.readdressed, json.thread.email]).toEqual([409, true, email]);
      expect(json.thread.entries).toContainEqual(
        expect.objectContaining({ text: 'The visitor gave a new address' }),
      );
    });

    test('while the answer waits, it goes where staff saw that it goes, and an erasure finds that too', async () => {
      const { id, typed, right, change, after } = await start();
      await answer(id, { after });
      await change();
      later(UNDO_MS);
      await expect.poll(() => site.mailbox.to(typed)).toHaveLength(1);
      expect(site.mailbox.to(right)).toEqual([]);
      await chat(site, { name: 'Someone', email: typed });
      await site.allAccepted();
      await staff.post('/api/admin/people/erase', { email: typed });
      expect(await tablesWith(site.app.database, typed)).toEqual([]);
    });
  });

  test('an answer that the panel has shown is not mailed', async () => {
    const email = newEmail();
    const { id } = await chat(site, { name: 'Ann', email });
    const { id: entryId } = await answer(id);
    const seenAt = Date.now() + UNDO_MS;
    const { db } = site.app.database;
    await db.updateTable('entries').set({ seenAt }).where('id', '=', entryId).execute();
    later(UNDO_MS + SHOWN_WITHIN_MS);
    const waiting = db.selectFrom('outbox').selectAll().where('subjectId', '=', entryId);
    const mails = waiting.where('kind', '=', 'thread-answered');
    await expect.poll(() => mails.where('channel', '=', 'mail-customer').execute()).toEqual([]);
    expect(site.mailbox.to(email)).toEqual([]);
    expect((await newest(id)).delivery).toMatchObject({
      state: 'seen',
      at: new Date(seenAt).toISOString(),
    });
  });

  /** A thread whose answer the mail server has refused. */
  const refused = async () => {
    const { id, email } = await write(site);
    await expect.poll(() => site.mailbox.to(email)).toHaveLength(1);
    site.mailbox.behaviour = ({ to }) => (to?.[0]?.address === email ? 550 : 'accept');
    await answer(id);
    later(UNDO_MS);
    await expect.poll(async () => (await newest(id)).delivery.state).toBe('failed');
    site.mailbox.behaviour = () => 'accept';
    return { id, email };
  };

  test('an answer that the mail server refuses says why, and can be sent again', async () => {
    const { id, email } = await refused();
    const { answer: why, delivery } = (await newest(id)).delivery;
    expect(why).toBe(`${email}: not sent (550 not this one)`);
    expect(await listed('undelivered=1')).toMatchObject([
      { id, undelivered: why, stillTried: false },
    ]);
    expect((await staff.get('/api/admin/inbox/counts')).json).toMatchObject({ failed: 1 });
    expect((await staff.get('/api/admin/outbox')).json).toMatchObject({ deliveries: [] });
    await staff.post(`/api/admin/outbox/${delivery}/resend`);
    await expect.poll(() => site.mailbox.to(email)).toHaveLength(2);
    await expect.poll(async () => (await newest(id)).delivery.state).toBe('mailed');
  });

  test('an answer that the mail server refused is never said to be sent, also once dismissed', async () => {
    const { id } = await refused();
    await staff.post(`/api/admin/outbox/${(await newest(id)).delivery.delivery}/dismiss`);
    expect((await newest(id)).delivery).toMatchObject({ state: 'failed', delivery: null });
  });

  test('an answer says why the email before it has not arrived, and leaves with it', async () => {
    const email = newEmail();
    site.mailbox.behaviour = ({ to }) =>
      to?.[0]?.address === email ? '452 4.2.2 Mailbox full' : 'accept';
    const { id } = await write(site, email);
    const { db } = site.app.database;
    const confirmations = db.selectFrom('outbox').select('lastAnswer').where('subjectId', '=', id);
    await expect
      .poll(() =>
        confirmations
          .where('kind', '=', 'contact-received')
          .where('channel', '=', 'mail-customer')
          .execute(),
      )
      .toMatchObject([{ lastAnswer: expect.any(String) }]);
    await answer(id);
    later(UNDO_MS);
    const why = `Still trying. ${email} is full (452)`;
    expect((await newest(id)).delivery).toMatchObject({ state: 'waiting', answer: why });
    expect(await listed('undelivered=1')).toMatchObject([
      { id, undelivered: why, stillTried: true },
    ]);
    site.mailbox.behaviour = () => 'accept';
    await staff.post(`/api/admin/outbox/${(await newest(id)).delivery.delivery}/resend`);
    await expect.poll(() => site.mailbox.to(email)).toHaveLength(2);
  });

  test('an answer that is being sent for the first time is not said to be still tried', async () => {
    const { id } = await write(site);
    const { id: entryId } = await answer(id);
    await claim(entryId, { nextTryAt: Date.now() + UNDO_MS });
    expect(await listed('undelivered=1')).toEqual([]);
  });

  test('an answer to a mistyped address says so, and reaches its reader at another', async () => {
    const { id, email } = await write(site);
    await expect.poll(() => site.mailbox.to(email)).toHaveLength(1);
    site.mailbox.behaviour = ({ to }) =>
      to?.[0]?.address === email ? '550 5.1.1 User unknown' : 'accept';
    const { id: entryId } = await answer(id);
    later(UNDO_MS);
    await expect
      .poll(async () => (await newest(id)).delivery)
      .toMatchObject({ state: 'failed', answer: `${email} does not exist (550)` });
    const right = { email: newEmail() };
    expect((await call(staff, id, `entries/${entryId}/readdress`, right)).json).toMatchObject({
      ...right,
      undelivered: null,
    });
    await expect.poll(() => site.mailbox.to(right.email)).toHaveLength(1);
    expect(await listed('undelivered=1')).toEqual([]);
    const unseen = await call(staff, id, 'entries', entry({ after: entryId }));
    expect([unseen.status, unseen.json.readdressed]).toEqual([409, true]);
    await expect
      .poll(async () => (await call(staff, id, `entries/${entryId}/readdress`, right)).status)
      .toBe(409);
    await answer(id, { after: (await newest(id)).id });
    later(UNDO_MS);
    await expect.poll(() => site.mailbox.to(right.email)).toHaveLength(2);
  });

  test('an answer that is not to leave yet is no failed delivery', async () => {
    const { id } = await chat(site, { name: 'Ann', email: newEmail() });
    await answer(id);
    await expect
      .poll(async () => (await staff.get('/api/admin/outbox')).json)
      .toMatchObject({ waiting: 0, failed: 0 });
  });

  test('an answer that is undone in time never leaves, and the thread waits as before', async () => {
    const { id, email } = await write(site);
    const before = await open(staff, id);
    const { id: entryId } = await answer(id);
    const { status, json } = await call(staff, id, `entries/${entryId}/undo`);
    expect([status, json]).toEqual([200, before]);
    expect((await call(staff, id, `entries/${entryId}/undo`)).status).toBe(404);
    later(UNDO_MS + SHOWN_WITHIN_MS);
    await site.allAccepted();
    expect(site.subjects(email).filter((subject) => subject.startsWith('Re:'))).toEqual([]);
  });

  test('an answer that has left, or is on its way, cannot be undone', async () => {
    const { id } = await write(site);
    const { id: entryId } = await answer(id);
    await claim(entryId);
    expect((await call(staff, id, `entries/${entryId}/undo`)).status).toBe(409);
    later(UNDO_MS);
    const { status, json } = await call(staff, id, `entries/${entryId}/undo`);
    expect([status, json.message]).toEqual([409, 'The answer has already left']);
    expect((await newest(id)).id).toBe(entryId);
  });

  test('a request that is repeated adds nothing', async () => {
    const { id } = await write(site);
    const body = entry();
    const answers = await Promise.all([1, 2, 3].map(() => call(staff, id, 'entries', body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await open(staff, id)).entries).toMatchObject([{ kind: 'visitor' }, { kind: 'staff' }]);
    const { db } = site.app.database;
    const sent = db.selectFrom('outbox').select('channel').where('kind', '=', 'thread-answered');
    const { id: entryId } = await newest(id);
    expect(await sent.where('subjectId', '=', entryId).execute()).toHaveLength(2);
  });

  test('an answer to a thread that a colleague has just answered asks first', async () => {
    const { id } = await write(site);
    const bea = await colleague(site.app, 'Bea');
    const { json } = await call(bea, id, 'entries', entry());
    const { id: entryId } = json.entries.at(-1);
    const stale = { after: entryId - 1 };
    const asked = await call(staff, id, 'entries', entry(stale));
    expect([asked.status, asked.json.answeredBy]).toEqual([409, 'Bea']);
    expect(asked.json.thread.entries.at(-1)).toMatchObject({ id: entryId });
    expect((await call(staff, id, 'entries', entry({ after: entryId }))).status).toBe(200);
    expect((await call(staff, id, 'entries', entry({ ...stale, kind: 'note' }))).status).toBe(200);
    expect((await call(bea, id, `entries/${entryId + 1}/undo`)).status).toBe(404);
  });

  test('an answer from another browser of the same account asks first, too', async () => {
    const { id } = await write(site);
    const other = await site.app.staff();
    await answer(id);
    const asked = await call(other, id, 'entries', entry());
    expect([asked.status, asked.json.answeredBy]).toEqual([409, 'admin']);
  });

  test('an answer from a colleague’s own mailbox counts: another asks first, and undoing that keeps it', async () => {
    const { id } = await write(site);
    const bea = await colleague(site.app, 'Bea');
    later(1_000);
    await call(bea, id, 'answered-by-mail');
    const asked = await call(staff, id, 'entries', entry());
    expect([asked.status, asked.json.answeredBy]).toEqual([409, 'Bea']);
    const { id: seen } = asked.json.thread.entries.at(-1);
    const sent = await answer(id, { after: seen });
    const { json } = await call(staff, id, `entries/${sent.id}/undo`);
    expect(json.status).toBe('answered');
  });

  test('of two colleagues who answer at the same moment, the second is asked', async () => {
    const { id } = await write(site);
    const both = [staff, await colleague(site.app, 'Bea')];
    const answers = await Promise.all(both.map((each) => call(each, id, 'entries', entry())));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a note never leaves, and changes neither mark nor assignee', async () => {
    const { id, email } = await write(site);
    const { json } = await call(staff, id, 'entries', entry({ kind: 'note', text: 'VIP' }));
    expect(json).toMatchObject({ status: 'new', assignee: null, entries: [{}, { kind: 'note' }] });
    later(UNDO_MS + SHOWN_WITHIN_MS);
    await site.allAccepted();
    for (const sent of [...site.mailbox.to(email), ...site.mailbox.to(DESK)])
      expect(sent.raw).not.toContain('VIP');
  });

  test('an answer from staff’s own mailbox is marked with one press', async () => {
    const { id } = await write(site);
    const { json } = await call(staff, id, 'answered-by-mail');
    expect(json).toMatchObject({
      status: 'answered',
      assignee: 'admin',
      entries: [{}, { kind: 'event', text: 'admin answered by email' }],
    });
  });

  test('who takes a thread, and gives it back, stands in it', async () => {
    const { id } = await write(site);
    await call(staff, id, 'assignee', { mine: true });
    await call(staff, id, 'assignee', { mine: true });
    const { json } = await call(staff, id, 'assignee', { mine: false });
    expect(json).toMatchObject({
      assignee: null,
      entries: [{}, { text: 'admin took it' }, { text: 'admin released it' }],
    });
  });

  test('the visitor’s next message to an answered thread waits, even one with many links', async () => {
    const visitor = site.app.visitor();
    const who = { name: 'Ann', email: newEmail() };
    const { id } = await chat(site, who, visitor);
    await answer(id);
    await chat(site, { ...who, message: 'www.a.example www.b.example www.c.example' }, visitor);
    expect(await open(staff, id)).toMatchObject({ status: 'waiting', messages: 2 });
  });

  test('a visitor waits from the first message without an answer on, and again once that answer is undone', async () => {
    const visitor = site.app.visitor();
    const who = { name: 'Ann', email: newEmail() };
    const { id } = await chat(site, who, visitor);
    const waits = async () => (await open(staff, id)).waitsSince;
    const since = await waits();
    later(60_000);
    await chat(site, who, visitor);
    expect(await waits()).toBe(since);
    const { id: sent } = await answer(id);
    expect(await waits()).toBeNull();
    await call(staff, id, `entries/${sent}/undo`);
    expect(await waits()).toBe(since);
    await call(staff, id, 'status', { status: 'spam' });
    expect(await waits()).toBeNull();
    await call(staff, id, 'status', { status: 'new' });
    expect(await waits()).toBe(since);
  });

  test('other threads, orders and quotes of the same address stand beside it', async () => {
    const email = newEmail();
    const first = await write(site, email);
    later(61_000);
    const { id } = await write(site, email.toUpperCase());
    const { json: quote } = await site.app.visitor().post('/api/quotes', {
      ...{ planId: 1, ms365Option: 'none', ms365Users: 0, includeCloudBackup: false },
      ...{ name: 'Ann Moore', email },
    });
    const { person } = await open(staff, id);
    expect(person).toMatchObject([
      { reference: quote.reference, path: expect.stringMatching(/^\/admin\/quotes\?open=\d+$/) },
      { reference: first.reference, path: `/admin?open=${first.id}`, about: MESSAGE.message },
    ]);
  });

  test('a visitor who left no address and whose conversation has ended cannot be answered', async () => {
    const { id } = await chat(site);
    expect(await open(staff, id)).toMatchObject({ byMail: false, inPanel: true });
    expect((await call(staff, id, 'entries', entry())).status).toBe(200);
    const { db } = site.app.database;
    const end = db.updateTable('threads').set({ keyHash: null, endedAt: Date.now() });
    await end.where('id', '=', id).execute();
    expect(await open(staff, id)).toMatchObject({ ended: true, byMail: false, inPanel: false });
    const { status, json } = await call(staff, id, 'entries', entry());
    expect([status, json.message]).toEqual([
      409,
      'The answer wasn’t sent. The visitor left no email address, and the conversation has ended.',
    ]);
    expect((await call(staff, id, 'entries', entry({ kind: 'note' }))).status).toBe(200);
  });

  test('a ready answer has the names and the hours filled in', async () => {
    const { id } = await chat(site, { name: 'Ann Moore', email: newEmail() });
    const ready = async (query: string) => {
      const { json } = await staff.get(`/api/admin/answers${query}`);
      return json.map(({ text }: { text: string }) => text).join('\n');
    };
    const forAnn = await ready(`?thread=${id}`);
    for (const words of ['Thank you, Ann. I’m looking', '8:30 AM to 5:30 PM ET'])
      expect(forAnn).toContain(words);
    expect(await ready('')).toContain('Thank you. I’m looking');
  });

  test('an answer to an erased person is refused', async () => {
    const { id, email } = await write(site);
    await staff.post('/api/admin/people/erase', { email });
    expect(await call(staff, id, 'entries', entry())).toMatchObject({
      status: 404,
      json: { message: 'Message not found' },
    });
  });
});

describe('a site without mail', () => {
  const app = sharedTestApp(WITHOUT_MAIL);

  test('says that a contact message cannot be answered here', async () => {
    const staff = await app.staff();
    const { id } = await write({ app });
    const { status, json } = await call(staff, id, 'entries', entry());
    expect([status, json.message]).toEqual([
      409,
      'The answer wasn’t sent, because this site can’t send email. Please answer from your own mailbox.',
    ]);
    expect((await open(staff, id)).entries).toHaveLength(1);
  });
});
