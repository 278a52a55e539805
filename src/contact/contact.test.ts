import { describe, expect, test, vi } from 'vitest';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { DESK } from '../../tests/support/mailbox.ts';
import { notifiedSite } from '../../tests/support/notified-site.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { storedMessages } from '../../tests/support/stored-messages.ts';
import { OWN_PASSWORD, sharedTestApp } from '../../tests/support/test-app.ts';
import { OPEN } from '../../tests/support/test-outbox.ts';

const MESSAGE = {
  name: 'Ann Moore',
  email: 'ann@lakeside.example',
  phone: '(770) 555-0134',
  service: 'voip',
  message: 'Our phones drop calls.\nCan you look?',
};

const app = sharedTestApp(OWN_PASSWORD);

const send = (body: unknown) => app.visitor().post('/api/contact', body);
const stored = () => storedMessages(app, 'contact');
const lastStored = async () => (await stored()).at(-1);

describe('a contact message', () => {
  test('is saved as written and answered with its reference', async () => {
    const { status, json } = await send(MESSAGE);
    const row = await lastStored();
    expect(status).toBe(200);
    expect(row).toMatchObject({ ...MESSAGE, status: 'new' });
    const createdAt = new Date(row?.createdAt ?? 0).toISOString();
    const contact = { ...MESSAGE, id: row?.id, createdAt };
    expect(json).toEqual({ reference: `C-${row?.id}`, contact });
  });

  test('that is posted again in the same moment, as by two presses without script, is saved once, and again a minute later', async () => {
    const body = { ...MESSAGE, service: '', message: 'Pressed twice at once.' };
    // With more than two, some arrive before the first is saved.
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(body)));
    const [first, ...others] = answers.map(({ json }) => json.reference);
    expect(others).toEqual(Array(9).fill(first));
    const other = await send({ ...body, phone: '(770) 555-0135' });
    expect(other.json.reference).not.toBe(first);
    const rows = (await stored()).filter(({ message }) => message === body.message);
    expect(rows).toHaveLength(2);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect((await send(body)).json.reference).not.toBe(first);
  });

  test('needs neither phone nor service: missing, empty or null', async () => {
    const { name, email, message } = MESSAGE;
    const contact = { phone: null, service: null };
    for (const absent of [{}, { phone: '', service: '' }, contact])
      expect(await send({ name, email, message, ...absent })).toMatchObject({
        status: 200,
        json: { contact },
      });
  });

  test('with an unknown service is refused at its field and not saved', async () => {
    const before = await stored();
    const message = 'Please select a service from the list';
    const json = { message, errors: [{ path: 'service', message }] };
    expect(await send({ ...MESSAGE, service: 'plumbing' })).toMatchObject({ status: 400, json });
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
    expect(json.contact).not.toHaveProperty('status');
    expect(await lastStored()).toMatchObject({ id: json.contact.id, status: 'spam' });
  });
});

test('a site without Teams and mail accepts messages and orders, and leaves nothing waiting in the outbox', async () => {
  const visitor = app.visitor();
  expect((await visitor.post('/api/contact', MESSAGE)).status).toBe(200);
  expect((await visitor.post('/api/create-payment-intent', SAMPLE_ORDER)).status).toBe(200);
  expect(await app.database.db.selectFrom('outbox').selectAll().execute()).toEqual([]);
});

describe('a contact message by email', () => {
  const site = notifiedSite('all tests');

  let people = 0;
  /** Sends a message from an address of its own, and waits for its emails. */
  async function sendAndRead(change: object) {
    people += 1;
    const email = `ann-${people}@lakeside.example`;
    const { json } = await site.app
      .visitor()
      .post('/api/contact', { ...MESSAGE, email, ...change });
    await site.allAccepted();
    const { reference, contact } = json;
    const toStaff = site.mailbox.to(DESK).find(({ subject }) => subject?.includes(reference));
    return { reference, id: contact.id, email, toStaff, toSender: site.mailbox.to(email) };
  }

  test('reaches staff as text and HTML, and their reply goes to the visitor', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: OPEN });
    const message = 'First line\n<b>second</b>';
    const { reference, id, email, toStaff } = await sendAndRead({ message });
    expect(toStaff).toMatchObject({
      subject: `New message ${reference}, Ann Moore`,
      from: { name: 'Tidewell', address: 'web@tidewell.example' },
      replyTo: [{ name: 'Ann Moore', address: email }],
    });
    for (const form of [toStaff?.text, toStaff?.html?.replaceAll('\u00a0', ' ')])
      for (const part of [
        'Ann Moore',
        email,
        MESSAGE.phone,
        'VoIP Services',
        'Friday, November 20, 2026 at 12:00 PM EST',
        `${site.app.address}/admin?open=${id}`,
      ])
        expect(form).toContain(part);
    expect(toStaff?.text).toContain('> First line\n> <b>second</b>');
    expect(toStaff?.html).toContain('First line<br/>&lt;b&gt;second&lt;/b&gt;');
    expect(toStaff?.html).toContain('prefers-color-scheme:dark');
  });

  test('is confirmed to its sender with the reference, but without the name or message, which a stranger may have typed', async () => {
    const { company } = ownContent();
    const spam = 'Visit https://spam.example';
    const { reference, email, toSender } = await sendAndRead({ name: spam, message: spam });
    expect(toSender).toMatchObject([
      {
        subject: `We received your message (${reference})`,
        to: [{ address: email, name: '' }],
        replyTo: [{ address: company.email }],
      },
    ]);
    const [{ text, html, raw } = { raw: '' }] = toSender;
    expect(text).toContain(`Message received\nReference ${reference}\n`);
    expect(text).toContain('Monday through Friday, 8:30 AM to 5:30 PM ET');
    const why = 'You’re getting this email because someone entered this address on our website.';
    for (const form of [text, html])
      for (const words of [company.legalName, why]) expect(form).toContain(words);
    expect(raw).not.toContain('spam.example');
  });

  test('that comes on a holiday is confirmed with the day on which the desk opens', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-26T12:00:00-05:00') });
    const { toSender } = await sendAndRead({});
    const opens = 'Our support desk opens on Friday, November 27, at 8:30 AM ET.';
    expect(toSender[0]?.text).toContain(opens);
  });

  test('that looks like spam reaches only staff, with a warning', async () => {
    const message = 'http://a.example http://b.example www.c.example';
    const { toStaff, toSender } = await sendAndRead({ message });
    expect(toStaff?.subject).toMatch(/^Possible spam: New message/);
    expect(toSender).toEqual([]);
  });
});
