import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { DESK, Mailbox } from '../../tests/support/mailbox.ts';
import { CLOSED, startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';
import { openMail } from './send-mail.server.ts';

let mailbox: Mailbox;
let site: TestOutbox;
async function start(options = {}, host = '127.0.0.1'): Promise<void> {
  mailbox = await Mailbox.start(options);
  const { SMTP_URL = '', ...variables } = mailbox.variables;
  site = await startTestOutbox({ ...variables, SMTP_URL: SMTP_URL.replace('127.0.0.1', host) });
}
afterEach(async () => {
  await site.stop();
  await mailbox.stop();
});

describe('a failing mail server', () => {
  test('that does not know the password gets the email later: the password may be corrected', async () => {
    await start({ allowInsecureAuth: true }, 'web:wrong@127.0.0.1');
    await site.chat({ createdAt: CLOSED });
    const lastAnswer = expect.stringMatching(/EAUTH.*535/);
    await site.becomes([{ state: 'waiting', lastAnswer }]);
  });

  test('that takes no email from this sender uses up no try', async () => {
    await start({ authOptional: false });
    await site.chat({ createdAt: CLOSED });
    const lastAnswer = expect.stringContaining('530');
    await site.becomes([{ state: 'waiting', tries: 0, lastAnswer }]);
  });

  test('that is away uses up no try', async () => {
    await start();
    await mailbox.stop();
    await site.chat({ createdAt: CLOSED });
    const lastAnswer = expect.stringContaining('ECONNREFUSED');
    await site.becomes([{ state: 'waiting', tries: 0, lastAnswer }]);
  });

  test('of Microsoft 365 that takes no password tells staff to use Graph, and uses up no try', async () => {
    const words = '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled';
    const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, answer) =>
      answer(Object.assign(new Error(words), { responseCode: 535 }));
    await start({ allowInsecureAuth: true, onAuth }, 'web:right@127.0.0.1');
    await site.chat({ createdAt: CLOSED });
    const lastAnswer = expect.stringMatching(/GRAPH_TENANT_ID, GRAPH_CLIENT_ID.*535 5\.7\.139/);
    await site.becomes([{ state: 'waiting', tries: 0, lastAnswer }]);
  });

  test('gets the email again with the same Message-ID and date', async () => {
    await start();
    const troubles = [451, 'reset', 'lose the answer'] as const;
    mailbox.behaviour = () => troubles[mailbox.tries - 1] ?? 'accept';
    await site.chat({ createdAt: CLOSED });
    await site.soonBecomes([{ state: 'accepted', tries: 4 }]);
    const [first, second, ...more] = mailbox.to(DESK);
    expect([first?.answerLost, second?.answerLost, more]).toEqual([true, false, []]);
    expect(first?.messageId).toMatch(/^<outbox-\d+-[0-9a-z]+@tidewell\.example>$/);
    expect([second?.messageId, second?.date]).toEqual([first?.messageId, first?.date]);
  });

  test('that refuses an email permanently does not get it again', async () => {
    await start();
    mailbox.behaviour = () => 550;
    await site.chat({ createdAt: CLOSED });
    await site.becomes([{ state: 'failed', tries: 1, lastAnswer: expect.stringContaining('550') }]);
    // Once with the visitor's words, once without.
    expect(mailbox.tries).toBe(2);
  });

  test('that is shutting down counts as unavailable, so that its whole channel pauses', async () => {
    await start();
    mailbox.behaviour = () => 421;
    const { SMTP_URL = '' } = mailbox.variables;
    const desk = { name: '', address: DESK };
    const smtp = openMail({ transport: { smtpUrl: SMTP_URL }, from: desk, to: desk });
    const replyTo = { name: 'Tidewell', address: DESK };
    const email = { to: DESK, replyTo, subject: '', text: '' };
    const sent = { ...email, isAutomatic: true, key: 'x', date: CLOSED };
    const outcome = await smtp.send(sent, AbortSignal.timeout(smtp.deadlineMs));
    expect(outcome).toMatchObject({ kind: 'unavailable', answer: expect.stringContaining('421') });
    smtp.close();
  });
});

test.each([
  ['whose certificate is not trusted', { secure: true }, '127.0.0.1'],
  // This address reaches this machine but is not a loopback address.
  ['that is not this machine and offers no encryption', {}, '0.0.0.0'],
])('a mail server %s gets nothing', async (_what, options, host) => {
  await start(options, host);
  await site.chat({ createdAt: CLOSED });
  await site.becomes([{ lastAnswer: expect.stringMatching(/^not sent/) }]);
  expect(mailbox.tries).toBe(0);
});

test('a visitor’s name cannot add a header, a recipient or a second email', async () => {
  await start();
  const name = 'Jane\r\nBcc: victim@dealer.example\r\n\r\nHello';
  await site.submit({ name, email: 'jane@dealer.example' });
  await site.becomes(Array(2).fill({ state: 'accepted' }));
  const recipients = mailbox.mails.flatMap((mail) => mail.recipients);
  expect(recipients.sort()).toEqual([DESK, 'jane@dealer.example']);
  for (const { headers } of mailbox.mails)
    expect(headers.map(({ key }) => key)).not.toContain('bcc');
  expect(mailbox.to(DESK)[0]?.replyTo).toMatchObject([{ address: 'jane@dealer.example' }]);
});

describe('staff read of a visitor', () => {
  const josé = { name: 'José', email: 'josé@dealer.example' };
  test.each<[string, () => Promise<unknown>]>([
    ['who wrote a message', () => site.submit(josé)],
    ['who chatted', () => site.chat({ ...josé, createdAt: CLOSED })],
  ])('%s, though the mail server takes only ASCII in headers', async (_what, write) => {
    await start({ hideSMTPUTF8: true, hide8BITMIME: true });
    mailbox.behaviour = (_mail, raw) => (/[\u0080-\uffff]/.test(raw) ? 550 : 'accept');
    await write();
    await expect.poll(() => mailbox.to(DESK)).toHaveLength(1);
    expect(mailbox.to(DESK)[0]).toMatchObject({
      subject: expect.stringContaining('from José'),
      text: expect.stringContaining('Write your answer to josé@dealer.example.'),
      replyTo: [{ address: 'hello@tidewell.example' }],
    });
  });

  test('whose words the mail server refuses as spam', async () => {
    await start();
    mailbox.behaviour = ({ text = '' }) => (text.includes('casino') ? 554 : 'accept');
    await site.submit({ message: 'Our casino has no phones.' });
    await expect.poll(() => mailbox.to(DESK)).toHaveLength(1);
    const [mail] = mailbox.to(DESK);
    for (const words of [
      'refused this email with the visitor’s words in it.',
      'jane@dealer.example',
    ])
      expect(mail?.text).toContain(words);
    expect(mail?.replyTo).toMatchObject([{ address: 'hello@tidewell.example' }]);
  });
});

test('mail to staff looks like a person’s to ticket systems, mail to customers asks for no automatic answer', async () => {
  await start();
  await site.submit();
  await expect.poll(() => mailbox.mails).toHaveLength(2);
  const automatic = (to: string) =>
    mailbox
      .to(to)
      .flatMap(({ headers }) =>
        headers.filter(({ key }) => /^(auto-submitted|x-auto-|precedence)/.test(key)),
      );
  expect(automatic(DESK)).toEqual([]);
  expect(automatic('jane@dealer.example')).toMatchObject([
    { key: 'auto-submitted', value: 'auto-generated' },
    { key: 'x-auto-response-suppress', value: 'All' },
  ]);
});

test('mails about one subject belong together for staff, their ticket system and the visitor', async () => {
  await start();
  const conversation = 'b0a7c1de-7a5c-4a44-9d0e-3f2f1d1c6a11';
  for (const message of ['first', 'second'])
    await site.chat({ message, conversation, createdAt: CLOSED });
  await site.submit();
  await expect.poll(() => mailbox.mails).toHaveLength(4);
  const ids = mailbox.mails.map(({ subject, messageId, inReplyTo, references = '' }) => ({
    ...{ subject, messageId, inReplyTo },
    references: references.split(' '),
  }));
  const [first, second] = ids.filter(({ subject }) => subject?.includes('chat'));
  expect(first).toMatchObject({
    inReplyTo: undefined,
    references: [expect.stringMatching(/^<thread-[\da-f]{32}@tidewell\.example>$/)],
  });
  // Ticket systems look for an email that they have.
  expect(second).toMatchObject({
    inReplyTo: first?.messageId,
    references: [first?.references[0], first?.messageId],
  });
  const [staffs, visitors] = ids.filter(({ subject }) => !subject?.includes('chat'));
  expect(visitors?.references).toEqual(staffs?.references);
  expect(visitors?.references).not.toEqual(first?.references);
  // The id of the conversation opens it.
  for (const { raw } of mailbox.mails) expect(raw).not.toContain(conversation.slice(0, 8));
});
