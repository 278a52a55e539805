import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callDirectly } from '../../tests/support/call-directly.ts';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { DESK, type MailOutbox, startMailOutbox } from '../../tests/support/mail-outbox.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';
import { PUBLIC_URL } from '../../tests/support/test-outbox.ts';
import { MessageBudget } from '../platform/message-limits.server.ts';
import { receiveContactMessage } from './contact-message.server.ts';

const MESSAGE = {
  name: 'Ann Moore',
  email: 'ann@lakeside.example',
  phone: '(770) 555-0134',
  service: 'voip',
  message: 'Our phones drop calls.\nCan you look?',
};

const app = sharedTestApp(OWN_PASSWORD);

const send = (body: unknown) => app.visitor().post('/api/contact', body);
const stored = () =>
  app.database.db.selectFrom('contactSubmissions').selectAll().orderBy('id').execute();
const lastStored = async () => (await stored()).at(-1);

describe('a contact message', () => {
  test('is saved as written and answered with its reference', async () => {
    const { status, json } = await send(MESSAGE);
    expect(status).toBe(200);
    expect(json.contact).toEqual({
      id: expect.any(Number),
      ...MESSAGE,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(json.reference).toBe(`C-${json.contact.id}`);
    const { createdAt, ...row } = (await lastStored()) ?? {};
    expect(row).toEqual({ id: json.contact.id, ...MESSAGE, mark: 'new' });
    expect(createdAt).toBe(Date.parse(json.contact.createdAt));
  });

  test('that is posted twice in a minute, as by two presses without script, is saved once', async () => {
    const body = { ...MESSAGE, message: 'Pressed twice at once.' };
    const visitor = app.visitor();
    const answers = await Promise.all([1, 2].map(() => visitor.post('/api/contact', body)));
    const [first, second] = answers.map(({ json }) => json.reference);
    expect(second).toBe(first);
    const other = await visitor.post('/api/contact', { ...body, phone: '(770) 555-0135' });
    expect(other.json.reference).not.toBe(first);
    const rows = (await stored()).filter(({ message }) => message === body.message);
    expect(rows).toHaveLength(2);
  });

  test('needs neither phone nor service: missing, empty or null', async () => {
    const { name, email, message } = MESSAGE;
    for (const absent of [{}, { phone: '', service: '' }, { phone: null, service: null }]) {
      const { status, json } = await send({ name, email, message, ...absent });
      expect(status).toBe(200);
      expect(json.contact).toMatchObject({ phone: null, service: null });
    }
  });

  test('with an unknown service is refused at its field and not saved', async () => {
    const before = await stored();
    const message = 'Please select a service from the list';
    const { status, json } = await send({ ...MESSAGE, service: 'plumbing' });
    expect([status, json]).toEqual([400, { message, errors: [{ path: 'service', message }] }]);
    expect(await stored()).toEqual(before);
  });

  test('may have the longest text, a name in another script, and a phone in any format', async () => {
    const message = 'x'.repeat(5000);
    const change = { name: 'Łukasz 村上', phone: 'tel. 770.555.0134', message };
    expect((await send({ ...MESSAGE, ...change })).status).toBe(200);
    expect(await lastStored()).toMatchObject(change);
  });

  test('that looks like spam is answered as usual and marked for staff', async () => {
    const message = 'http://a.example http://b.example www.c.example';
    const { status, json } = await send({ ...MESSAGE, message });
    expect(status).toBe(200);
    expect(json.contact).not.toHaveProperty('mark');
    expect(await lastStored()).toMatchObject({ id: json.contact.id, mark: 'spam' });
  });

  test('is not saved if its notification cannot be saved', async () => {
    const before = await stored();
    const call = receiveContactMessage({
      db: app.database.db,
      budget: new MessageBudget('(770) 555-0100'),
      notify: async () => {
        throw new Error('the outbox is full');
      },
    });
    const body = { ...MESSAGE, message: 'The outbox is full today.' };
    const sending = callDirectly([call], 'POST /api/contact', { body });
    await expect(sending).rejects.toThrow('the outbox is full');
    expect(await stored()).toEqual(before);
  });
});

test('a site without Teams and mail accepts messages and orders, and leaves nothing waiting in the outbox', async () => {
  const visitor = app.visitor();
  expect((await visitor.post('/api/contact', MESSAGE)).status).toBe(200);
  expect((await visitor.post('/api/create-payment-intent', SAMPLE_ORDER)).status).toBe(200);
  expect(await app.database.db.selectFrom('outbox').selectAll().execute()).toEqual([]);
});

describe('a contact message by email', () => {
  let post: MailOutbox;
  beforeEach(async () => {
    post = await startMailOutbox();
  });
  afterEach(() => post.stop());

  test('reaches staff as text and HTML, and their reply goes to the visitor', async () => {
    const id = await post.site.submit({
      phone: '(770) 555-0142',
      service: 'network',
      message: 'First line\n<b>second</b>',
    });
    const mail = await post.firstTo(DESK);
    expect(mail.subject).toBe(`New message C-${id} from Jane Doe`);
    expect(mail.from).toMatchObject({ name: 'Tidewell', address: 'web@tidewell.example' });
    expect(mail.replyTo).toMatchObject([{ name: 'Jane Doe', address: 'jane@dealer.example' }]);
    for (const form of [mail.text, mail.html]) {
      for (const part of [
        'Jane Doe',
        'jane@dealer.example',
        '(770) 555-0142',
        'Network Support',
        'Friday, November 20, 2026 at 12:00 PM EST',
        `${PUBLIC_URL}/admin?open=${id}`,
      ]) {
        expect(form).toContain(part);
      }
    }
    expect(mail.text).toContain('> First line\n> <b>second</b>');
    expect(mail.html).toContain('First line\n&lt;b&gt;second&lt;/b&gt;');
    expect(mail.html).toContain('prefers-color-scheme:dark');
  });

  test('is confirmed to its sender with the reference, but without the name or message, which a stranger may have typed', async () => {
    const spam = 'Visit https://spam.example';
    const id = await post.site.submit({ name: spam, message: spam });
    const mail = await post.firstTo('jane@dealer.example');
    expect(mail.subject).toBe(`We received your message (C-${id})`);
    expect(mail.replyTo).toMatchObject([{ address: post.site.content.company.email }]);
    expect(mail.text).toMatch(/^Thank you for your message\n/);
    expect(mail.text).toContain('\nHello,\n');
    expect(mail.text).toContain('Monday through Friday, 8:30 AM to 5:30 PM ET');
    for (const form of [mail.text, mail.html]) {
      expect(form).toContain(post.site.content.company.legalName);
      expect(form).toContain(
        'You’re getting this email because someone entered this address on our website.',
      );
    }
    expect(mail.raw).not.toContain('spam.example');
    expect(mail.headers.find(({ key }) => key === 'to')?.value).toBe('jane@dealer.example');
  });

  test('that looks like spam reaches only staff, with a warning', async () => {
    await post.site.submit({ mark: 'spam' });
    expect((await post.firstTo(DESK)).subject).toMatch(/^Possible spam: New message/);
    await post.allAccepted();
    expect(post.mailbox.to('jane@dealer.example')).toEqual([]);
  });

  test('cannot add a header, a recipient or a second email', async () => {
    const name = 'Jane\r\nBcc: victim@dealer.example\r\n\r\nHello';
    await post.site.submit({ name, email: 'jane@dealer.example' });
    const mail = await post.firstTo(DESK);
    await post.allAccepted();
    expect(post.mailbox.mails.flatMap(({ recipients }) => recipients).sort()).toEqual([
      DESK,
      'jane@dealer.example',
    ]);
    for (const { headers } of post.mailbox.mails)
      expect(headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mail.replyTo).toMatchObject([{ address: 'jane@dealer.example' }]);
  });
});
