import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { FakeTeams } from '../../tests/support/fake-teams.ts';
import { Mailbox, type ReceivedMail } from '../../tests/support/mailbox.ts';
import {
  CLOSED,
  OPEN,
  PUBLIC_URL,
  startTestOutbox,
  type TestOutbox,
} from '../../tests/support/test-outbox.ts';

const DESK = 'desk@tidewell.example';

let mailbox: Mailbox;
let site: TestOutbox;

async function start(): Promise<void> {
  mailbox = await Mailbox.start();
  site = await startTestOutbox(mailbox.variables);
}

async function mailTo(address: string, count = 1): Promise<ReceivedMail[]> {
  await eventually(() => expect(mailbox.to(address).length).toBeGreaterThanOrEqual(count));
  return mailbox.to(address);
}

async function firstTo(address: string): Promise<ReceivedMail> {
  const [mail] = await mailTo(address);
  if (!mail) throw new Error(`no mail to ${address}`);
  return mail;
}

const deliveries = () => site.database.db.selectFrom('outbox').selectAll().orderBy('id').execute();

/** Everything that is waiting has gone out. */
async function allAccepted(): Promise<void> {
  await eventually(async () => {
    const states = (await deliveries()).map(({ state }) => state);
    expect(states.filter((state) => state !== 'accepted')).toEqual([]);
  });
}

afterEach(async () => {
  await site.stop();
  await mailbox.stop();
});

describe('a contact message', () => {
  test('reaches staff in both forms, and a reply goes to the visitor', async () => {
    await start();
    const id = await site.submit({
      phone: '(770) 555-0142',
      service: 'network',
      message: 'First line\n<b>second</b>',
    });
    const mail = await firstTo(DESK);
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

  test('is confirmed to its sender by name and reference, without a word of what was written', async () => {
    await start();
    const id = await site.submit({ message: 'Buy now at https://spam.example' });
    const mail = await firstTo('jane@dealer.example');
    expect(mail.subject).toBe(`We have received your message (C-${id})`);
    expect(mail.replyTo).toMatchObject([{ address: site.content.company.email }]);
    expect(mail.text).toContain('Hello Jane Doe,');
    expect(mail.text).toContain('Monday to Friday, 8:30 AM to 5:30 PM ET');
    for (const form of [mail.text, mail.html]) {
      expect(form).toContain(`${site.content.company.legalName}, ${PUBLIC_URL}`);
      expect(form).toContain('You get this email because this address was given on our website.');
    }
    expect(mail.raw).not.toContain('spam.example');
  });

  test.each([
    'Visit https://spam.example',
    'spam.example',
    'You have won, claim it today at our office',
    'Win $1000',
    'call +1 770 555 0100',
    '<b>Jane</b>',
  ])('confirms without the name %j, which is no name', async (name) => {
    await start();
    await site.submit({ name });
    const mail = await firstTo('jane@dealer.example');
    expect(mail.text).toContain('\nHello,\n');
    expect(mail.raw).not.toContain(name);
    expect(mail.headers.find(({ key }) => key === 'to')?.value).toBe('jane@dealer.example');
  });

  test.each(['José García', "Seán O'Neil-Smith", '李小龍', 'J. R. Ewing'])(
    'greets %s',
    async (name) => {
      await start();
      await site.submit({ name });
      expect((await firstTo('jane@dealer.example')).text).toContain(`Hello ${name},`);
    },
  );

  test('that looks like spam reaches staff, marked, and nobody else', async () => {
    await start();
    await site.submit({ mark: 'spam' });
    expect((await firstTo(DESK)).subject).toMatch(/^Possible spam: New message/);
    await allAccepted();
    expect(mailbox.to('jane@dealer.example')).toEqual([]);
  });

  test('is confirmed three times a day to one address, so that nobody is flooded through us', async () => {
    await start();
    for (let index = 0; index < 4; index += 1) await site.submit();
    await site.submit({ email: 'JANE@dealer.example' });
    await site.submit({ email: 'other@dealer.example' });
    for (const email of [
      'x@bücher.example',
      'x@BÜCHER.example',
      'X@Bücher.example',
      'x@bÜcher.example',
    ])
      await site.submit({ email });
    await mailTo(DESK, 10);
    await allAccepted();
    expect(mailbox.mails).toHaveLength(10 + 3 + 1 + 3);
    expect(mailbox.to('jane@dealer.example')).toHaveLength(3);
    expect(mailbox.to('JANE@dealer.example')).toEqual([]);
    expect(mailbox.to('other@dealer.example')).toHaveLength(1);
  });

  test('is confirmed again to an address that was written to a whole day before', async () => {
    await start();
    const day = 24 * 60 * 60 * 1000;
    for (const [email, before] of [
      ['jane@dealer.example', day],
      ['other@dealer.example', day - 1],
    ] as const) {
      for (let index = 0; index < 3; index += 1)
        await site.submit({ email, createdAt: OPEN - before });
      await site.submit({ email });
    }
    await allAccepted();
    expect(mailbox.to('jane@dealer.example')).toHaveLength(4);
    expect(mailbox.to('other@dealer.example')).toHaveLength(3);
  });

  test('cannot add a header, a recipient or a second mail', async () => {
    await start();
    const name = 'Jane\r\nBcc: victim@dealer.example\r\n\r\nHello';
    await site.submit({ name, email: 'jane@dealer.example' });
    const mail = await firstTo(DESK);
    await allAccepted();
    expect(mailbox.mails.flatMap(({ recipients }) => recipients).sort()).toEqual([
      DESK,
      'jane@dealer.example',
    ]);
    for (const { headers, bcc } of mailbox.mails) {
      expect(headers.map(({ key }) => key)).not.toContain('bcc');
      expect(bcc ?? []).toEqual([]);
    }
    expect(mail.replyTo).toMatchObject([{ address: 'jane@dealer.example' }]);
  });
});

describe('a chat message', () => {
  test('reaches staff by mail when it comes outside business hours', async () => {
    await start();
    const id = await site.chat({ createdAt: CLOSED });
    const mail = await firstTo(DESK);
    expect(mail.subject).toBe(`New chat message T-${id} from Jane Doe`);
    expect(mail.text).toContain('Sunday, November 22, 2026 at 12:00 PM EST');
  });

  test('reaches them by mail within business hours too where there is no Teams', async () => {
    await start();
    const id = await site.chat({ createdAt: OPEN });
    expect((await firstTo(DESK)).subject).toBe(`New chat message T-${id} from Jane Doe`);
  });

  test('within business hours is left to Teams', async () => {
    const teams = await FakeTeams.start();
    mailbox = await Mailbox.start();
    site = await startTestOutbox({ ...mailbox.variables, ...teams.variables });
    await site.chat({ createdAt: OPEN });
    expect(await deliveries()).toMatchObject([{ channel: 'teams' }]);
    await teams.stop();
  });

  test('without an address is answered to the company itself', async () => {
    await start();
    await site.chat({ createdAt: CLOSED, name: null, email: null });
    expect((await firstTo(DESK)).replyTo).toMatchObject([{ address: site.content.company.email }]);
  });
});

describe('a mail server in trouble', () => {
  test('gets the same mail again, recognisable as the same', async () => {
    await start();
    const troubles = [451, 'reset', 'lose the answer'] as const;
    mailbox.behaviour = () => troubles[mailbox.tries - 1] ?? 'accept';
    await site.chat({ createdAt: CLOSED });
    await eventually(async () => {
      await site.hurry();
      expect(mailbox.to(DESK)).toHaveLength(2);
    });
    const mails = mailbox.to(DESK);
    await allAccepted();
    expect(mails.map(({ answerLost }) => answerLost)).toEqual([true, false]);
    expect(mails[0]?.messageId).toMatch(/^<outbox-\d+-[0-9a-z]+@tidewell\.example>$/);
    expect(mails[0]?.messageId).toBe(mails[1]?.messageId);
    expect(mails[0]?.date).toBe(mails[1]?.date);
    expect((await deliveries())[0]?.tries).toBe(4);
  });

  test('that refuses a mail for good is not asked again', async () => {
    await start();
    mailbox.behaviour = () => 550;
    await site.chat({ createdAt: CLOSED });
    await eventually(async () =>
      expect(await deliveries()).toMatchObject([
        { state: 'set aside', tries: 1, lastAnswer: expect.stringContaining('550') },
      ]),
    );
    expect(mailbox.tries).toBe(1);
  });
});

describe('encryption', () => {
  test('a server whose certificate nobody vouches for gets nothing', async () => {
    mailbox = await Mailbox.start({ secure: true });
    site = await startTestOutbox(mailbox.variables);
    await site.chat({ createdAt: CLOSED });
    await eventually(async () => expect((await deliveries())[0]?.lastAnswer).toMatch(/^not sent/));
    expect(mailbox.tries).toBe(0);
  });

  test('a server that offers none gets nothing, unless it is this machine', async () => {
    mailbox = await Mailbox.start();
    // 0.0.0.0 leads to this machine without being its loopback address.
    const SMTP_URL = `smtp://0.0.0.0:${mailbox.port}`;
    site = await startTestOutbox({ ...mailbox.variables, SMTP_URL });
    await site.chat({ createdAt: CLOSED });
    await eventually(async () => expect((await deliveries())[0]?.lastAnswer).toMatch(/^not sent/));
    expect(mailbox.tries).toBe(0);
  });
});
