import { setTimeout as pause } from 'node:timers/promises';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { makeCertificate } from '../../tests/support/certificate.ts';
import { DESK, Mailbox } from '../../tests/support/mailbox.ts';
import { shortenDeadlines } from '../../tests/support/short-deadlines.ts';
import { CLOSED, startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';
import { HOUR_MS } from '../platform/time.ts';
import { MAX_TRIES } from './outbox.server.ts';
import { openMail } from './send-mail.server.ts';

const JANE = 'jane@dealer.example';
const HELD_UP = { claimedBy: null, lastAnswer: expect.stringContaining('421') };

type Options = SMTPServerOptions & { host?: string; own?: boolean };
/** As Postfix with smtpd_tls_security_level = encrypt. */
const wantsTls: SMTPServerOptions['onMailFrom'] = (_address, _session, answer) =>
  answer(
    Object.assign(new Error('5.7.0 Must issue a STARTTLS command first'), { responseCode: 530 }),
  );

/** As Postfix while what knows the passwords is away. */
const CANNOT_TELL = '4.7.0 Temporary authentication failure';
const refusing =
  (responseCode: number, words: string): SMTPServerOptions['onAuth'] =>
  (_auth, _session, answer) =>
    answer(Object.assign(new Error(words), { responseCode }));

/** Twenty seconds, when deadlines are a twentieth as long. */
const TWENTY_SECONDS = 1_000;

let mailbox: Mailbox;
let site: TestOutbox;
async function start(options = {}, host = '127.0.0.1', protocol?: string): Promise<void> {
  mailbox = await Mailbox.start(options);
  const { SMTP_URL = '', ...variables } = mailbox.variables;
  const url = SMTP_URL.replace('127.0.0.1', host).replace(/^\w+:/, protocol ?? '$&');
  site = await startTestOutbox({ ...variables, SMTP_URL: url });
}
afterEach(async () => {
  await site.stop();
  await mailbox.stop();
});

/** Sends one email without the outbox. */
async function sendOne(from = { name: '', address: DESK }, publicUrl: string | null = null) {
  const smtpUrl = mailbox.variables.SMTP_URL ?? '';
  const mail = openMail({ transport: { smtpUrl }, from, to: from }, publicUrl);
  const email = { to: DESK, replyTo: null, subject: '', text: '', isAutomatic: true };
  const sent = { ...email, key: 'x', date: CLOSED };
  const outcome = await mail.send(sent, AbortSignal.timeout(mail.deadlineMs));
  mail.close();
  return outcome;
}

describe('a failing mail server', () => {
  test.each<[what: string, user: string, SMTPServerOptions, words: RegExp, isLasting: boolean]>([
    ['does not know the password', 'web:wrong@', {}, /not sent \(535/, true],
    ['takes no email from this sender', '', { authOptional: false }, /530/, true],
    ['cannot tell who we are', 'web:right@', { onAuth: refusing(454, CANNOT_TELL) }, /454/, false],
    [
      'is Microsoft 365 and takes no password, so that Graph is the cure,',
      'web:right@',
      { onAuth: refusing(535, '5.7.139 SmtpClientAuthentication is disabled') },
      /GRAPH_TENANT_ID, GRAPH_CLIENT_ID.*535 5\.7\.139/,
      true,
    ],
  ])('that %s uses up no try, and is a fault only if it lasts', async (...row) => {
    const [, user, options, words, isLasting] = row;
    await start({ allowInsecureAuth: true, ...options }, `${user}127.0.0.1`);
    await site.chat({ createdAt: CLOSED });
    const lastAnswer = expect.stringMatching(words);
    await site.becomes([{ state: 'waiting', tries: 0, claimedBy: null, lastAnswer }]);
    const faults = site.database.db.selectFrom('faults').select('what');
    expect(await faults.execute()).toHaveLength(Number(isLasting));
  });

  test('that reads an email for twenty seconds before it takes it gets it once', async () => {
    await start();
    shortenDeadlines();
    mailbox.behaviour = () => ({ after: TWENTY_SECONDS });
    await site.chat({ createdAt: CLOSED });
    await site.soonBecomes([{ state: 'accepted', tries: 1 }]);
    expect(mailbox.to(DESK)).toHaveLength(1);
  });

  test('that looks up who we are for twenty seconds gets the email', async () => {
    await start({
      onConnect: (_session: unknown, greet: () => void) => void pause(TWENTY_SECONDS).then(greet),
    });
    shortenDeadlines();
    await site.chat({ createdAt: CLOSED });
    await site.soonBecomes([{ state: 'accepted', tries: 1 }]);
  });

  test('that is away uses up no try', async () => {
    await start();
    await mailbox.stop();
    await site.chat({ createdAt: CLOSED });
    const lastAnswer = expect.stringContaining('ECONNREFUSED');
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

  test('that names an address by its domain in the DNS leaves nobody’s address in what is kept', async () => {
    await start();
    mailbox.behaviour = () => '550 5.1.1 <Ann@XN--BCHER-KVA.example> (ann@bücher.example): unknown';
    await site.submit({ email: 'ann@bücher.example' });
    const lastAnswer = expect.stringContaining('<the address> (the address): unknown');
    await site.becomes([{}, { channel: 'mail-customer', state: 'failed', lastAnswer }]);
  });
});

describe('an answer about the account that sends', () => {
  /** As Exchange, Google, Postfix, Amazon SES, Zoho and cPanel give them. */
  const ANSWERS = [
    '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail',
    '550 5.1.8 Access denied, bad outbound sender',
    '550 5.7.501 Access denied, spam abuse detected',
    '550 5.7.705 Access denied, tenant has exceeded threshold',
    '550 5.7.606 Access denied, banned sending IP [192.0.2.1]',
    '550 5.7.26 Unauthenticated email from tidewell.example is not accepted',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    '550 5.7.1 Part of your network is on our block list (S3140)',
    '554 5.7.1 <web@tidewell.example>: Sender address rejected: not owned by user web',
    '550 5.7.1 Your account has been blocked',
    '550 5.7.60 SMTP; Client does not have permissions to send as this sender',
    '550 5.7.0 Mail relay denied',
    '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException',
    '554 5.7.1 <jane@dealer.example>: Relay access denied',
    '554 5.7.1 <jane@dealer.example>: Recipient address rejected: Access denied',
    '550 5.7.1 Client does not have permissions to send as this sender',
    '552 Requested mail action aborted: exceeded storage allocation',
    '552 5.2.2 Mailbox over quota',
    '452 4.3.1 Insufficient system storage',
    '451 4.7.0 Hourly message limit reached',
    '451 4.3.0 Temporary lookup failure',
    '450 4.7.1 Error: too many recipients from 192.0.2.1',
    '454 Throttling failure: Maximum sending rate exceeded.',
    '554 Message rejected: Email address is not verified. The following identities failed the check',
    '554 Message rejected: Sending paused for this account.',
    '550 5.4.6 Unusual sending activity detected.',
    '553 Relaying disallowed as web@tidewell.example',
    '550 Domain tidewell.example has exceeded the max emails per hour (150/150 (100%)) allowed.',
    '550 5.1.90 You’ve reached your daily limit for message recipients',
    '553 sorry, that domain isn’t in my list of allowed rcpthosts (#5.7.1)',
    '550 The from address does not match a verified Sender Identity.',
    '550 Domain tidewell.example is not allowed to send: it requires DNS configuration',
    '554 Your IP has poor reputation',
    '550 5.7.1 The IP you’re using to send mail is not authorized to send email directly',
    '550 This account is not authorised to send mail',
    '550 5.1.0 Authentication required',
    '554 5.7.8 Error: authentication required',
    '550 5.1.0 <web@tidewell.example> Sender rejected',
    '501 5.1.7 Invalid sender',
    '550 Sender verify failed',
    '451 4.7.500 Server busy. Please try again later from [192.0.2.1]',
    '554 5.7.1 Credits exhausted',
    '550 Trial period has ended',
    // cPanel, hMailServer, MailEnable, Domino, Mercury, Fastmail, Exim, Google's relay, SendGrid,
    // SparkPost, Resend, Mailgun, SES and gateways.
    '550 192.0.2.1 is not permitted to relay through this server without authentication.',
    '530 SMTP authentication is required.',
    '503 This mail server requires authentication when attempting to send to a non-local address',
    '550 smtp auth required',
    '554 Relay rejected for policy reasons.',
    '553 We do not relay non-local mail, sorry.',
    '551 5.7.1 Not authorised to send from this header address',
    '550 unable to verify sender address',
    '550 rejected because 192.0.2.1 is in a black list at dnsbl.example',
    '550 5.7.1 Invalid credentials for relay [192.0.2.1]. The IP address you’ve registered',
    '550 Unauthenticated senders not allowed',
    '550 5.7.1 Unconfigured Sending Domain <tidewell.example>',
    '550 You can only send testing emails to your own email address (web@tidewell.example)',
    '550 Sandbox subdomains are for test purposes only.',
    '554 Access denied: User is not authorized to perform ‘ses:SendRawEmail’',
    '554 Your access has been rejected due to the sending MTA’s poor reputation.',
    '554 5.7.1 Client rejected: no PTR record for 192.0.2.1',
  ] as const;
  test('is known by its words', async () => {
    await start();
    for (const words of ANSWERS) {
      mailbox.behaviour = () => words;
      expect([words, await sendOne()]).toMatchObject([words, { about: 'likely-all' }]);
    }
  });

  test('is no try of the mail that it was given to', async () => {
    await start();
    const [words] = ANSWERS;
    mailbox.behaviour = () => words;
    await site.submit();
    const lastAnswer = expect.stringContaining(words.slice(0, 3));
    await site.becomes(Array(2).fill({ state: 'waiting', tries: 0, lastAnswer }));
    // However long it lasts.
    await expect.poll(() => site.hurry().then(() => mailbox.tries > 2 * MAX_TRIES)).toBe(true);
    mailbox.behaviour = () => 'accept';
    await site.soonBecomes(Array(2).fill({ state: 'accepted', tries: 1 }));
    expect(mailbox.mails).toHaveLength(2);
  });

  test.each([
    '550 5.1.1 The email account that you tried to reach does not exist',
    '550 5.4.1 Recipient address rejected: Access denied',
    '552 5.3.4 Message size exceeds fixed limit',
    '554 5.4.6 Too many hops, hop count exceeded limit 25',
    '552 5.7.0 This message was blocked because its content presents a security issue',
    '554 5.7.1 Message rejected as spam',
    '554 5.7.1 Message contains a URL that is listed at dbl.spamhaus.org',
    '550 5.7.703 Your message can’t be delivered because messages to this recipient are blocked',
  ] as const)('is not one about the mail, which fails at once: %s', async (words) => {
    await start();
    mailbox.behaviour = ({ to }) => (to?.[0]?.address === JANE ? words : 'accept');
    await site.submit();
    await site.becomes([{ state: 'accepted' }, { state: 'failed', tries: 1 }]);
  });

  test('keeps no other mail waiting if it is that of two receivers', async () => {
    await start();
    const words = '554 5.7.1 Relay access denied';
    mailbox.behaviour = ({ to }) =>
      to?.[0]?.address?.endsWith('@refused.example') ? words : 'accept';
    for (const name of ['ann', 'bob']) await site.submit({ email: `${name}@refused.example` });
    await site.submit({ email: JANE });
    await expect.poll(() => site.hurry().then(() => mailbox.to(JANE).length)).toBe(1);
  });

  test('keeps no other mail waiting, and fails in the end, if it is one receiver’s alone', async () => {
    await start();
    const refused = 'ann@refused.example';
    const words = '554 5.7.1 Relay access denied';
    mailbox.behaviour = ({ to }) => (to?.[0]?.address === refused ? words : 'accept');
    await site.submit({ email: refused });
    let others = 0;
    const anotherIsAccepted = async () => {
      others += 1;
      const other = `bob-${others}@dealer.example`;
      await site.submit({ email: other });
      site.outbox.endPauses();
      await expect.poll(() => mailbox.to(other)).toHaveLength(1);
      await site.hurry();
      return (await site.deliveries()).some(({ state }) => state === 'failed');
    };
    await expect.poll(anotherIsAccepted, { timeout: 60_000 }).toBe(true);
    expect(mailbox.to(refused)).toHaveLength(0);
  });
});

test.each(['450 4.7.1 Greylisted', '421 4.7.0 Try again later, closing connection'] as const)(
  'a server that defers everything for hours loses no mail: %s',
  async (words) => {
    await start();
    mailbox.behaviour = () => words;
    await site.submit();
    await expect.poll(() => site.hurry().then(() => mailbox.tries > 3 * MAX_TRIES)).toBe(true);
    await site.becomes(Array(2).fill({ state: 'waiting' }));
    mailbox.behaviour = () => 'accept';
    await site.soonBecomes(Array(2).fill({ state: 'accepted' }));
  },
);

test('relays that refuse an address as a greeting are greeted by the name of the site', async () => {
  await start();
  await site.chat({ createdAt: CLOSED });
  await expect.poll(() => mailbox.to(DESK)).toMatchObject([{ greeting: 'www.tidewell.example' }]);
});

test.each([
  [null, 'web@tidewell.example', 'tidewell.example'],
  ['http://192.0.2.7:3000', 'web@bücher.example', 'xn--bcher-kva.example'],
  ['http://[2001:db8::7]', 'web@tidewell.example', 'tidewell.example'],
  ['http://intranet', 'web@tidewell.example', 'tidewell.example'],
  ['https://tidewell.example.', 'web@tidewell.example', 'tidewell.example'],
  ['https://our_site.tidewell.example', 'web@tidewell.example', 'tidewell.example'],
])('a site at %s that sends as %s greets as %s', async (publicUrl, address, greeting) => {
  await start();
  await sendOne({ name: '', address }, publicUrl);
  expect(mailbox.mails).toMatchObject([{ greeting }]);
});

test('a mail of a domain outside ASCII has a name for threads that every relay takes', async () => {
  await start();
  await sendOne({ name: 'Bücher', address: 'web@bücher.example' });
  expect(mailbox.mails).toMatchObject([{ messageId: '<x@xn--bcher-kva.example>' }]);
});

test.each([
  ['of its sending, and says when it was written, if it was held up for days', 9 * 24],
  ['on which it was written if that was less than a day ago', 23],
  ['of its sending if it was written while the clock was ahead', -9 * 24],
])('a mail has the date %s: %i hours', async (_, hours) => {
  await start();
  mailbox.behaviour = () => 421;
  await site.chat({ createdAt: CLOSED });
  await site.becomes([HELD_UP]);
  const createdAt = Date.now() - hours * HOUR_MS;
  await site.database.db.updateTable('outbox').set({ createdAt }).execute();
  mailbox.behaviour = () => 'accept';
  const before = Date.now();
  await site.soonBecomes([{ state: 'accepted' }]);
  const [{ date = '', text } = {}] = mailbox.mails;
  const [earliest, latest] = hours === 23 ? [createdAt, createdAt] : [before, Date.now()];
  // A mail has whole seconds.
  expect(Date.parse(date)).toBeGreaterThan(earliest - 1_000);
  expect(Date.parse(date)).toBeLessThanOrEqual(latest);
  expect(/This was written on \w+, \w+ \d+, \d{4}/.test(`${text}`)).toBe(hours === 9 * 24);
});

test.each([
  ['that speaks TLS from the start', 'smtp:', { secure: true }, 'begin SMTP_URL with smtps://'],
  ['that does not', 'smtps:', {}, 'begin SMTP_URL with smtp://'],
  ['of an own authority', 'smtps:', { secure: true, own: true }, 'name its file in NODE_EXTRA'],
  ['without STARTTLS', 'smtp:', { host: '0.0.0.0' }, 'smtps:// and its port for TLS, often 465'],
  ['with another password', 'smtp:', { host: 'me:old@127.0.0.1' }, 'see user and password in SMTP'],
  ['that wants TLS here', 'smtp:', { onMailFrom: wantsTls }, 'begin SMTP_URL with smtps://'],
])(
  'staff read the cure for a mail server %s at %s//',
  async (_which, protocol, { host = '127.0.0.1', own, ...options }: Options, cure) => {
    const certificate = own ? makeCertificate() : {};
    await start({ allowInsecureAuth: true, ...certificate, ...options }, host, protocol);
    shortenDeadlines();
    await site.chat({ createdAt: CLOSED });
    const lastAnswer = expect.stringMatching(new RegExp(`${cure}.*not sent \\((?!.*system-ca)`));
    await site.becomes([{ state: 'waiting', tries: 0, lastAnswer }]);
  },
);

test.each([
  ['MAIL_TO', DESK],
  ['MAIL_FROM', 'web@tidewell.example'],
  ['company.json', 'hello@tidewell.example'],
  ['MAIL_TO in capitals', DESK.toUpperCase()],
  ['MAIL_FROM with a tag', 'web+Jane@tidewell.example'],
])(
  'a visitor who types our own address, that of %s, makes the desk write to itself never',
  async (_where, email) => {
    await start();
    const sent = [await site.submit({ email }), await site.chat({ email, createdAt: CLOSED })];
    await expect.poll(() => mailbox.to(DESK)).toHaveLength(sent.length);
    await site.becomes(Array(2).fill({ state: 'accepted', channel: 'mail-staff' }));
    for (const mail of mailbox.mails) {
      expect([mail.replyTo, mail.recipients]).toEqual([undefined, [DESK]]);
      expect(mail.text).toContain(`${email} is our own address`);
    }
  },
);

test.each([
  ['whose certificate is not trusted', { secure: true }, '127.0.0.1'],
  // This address reaches this machine but is not a loopback address.
  ['that is not this machine and offers no encryption', {}, '0.0.0.0'],
])('a mail server %s gets nothing', async (_what, options, host) => {
  await start(options, host);
  await site.chat({ createdAt: CLOSED });
  await site.becomes([{ lastAnswer: expect.stringMatching(/\. not sent \(/) }]);
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
      subject: expect.stringContaining(', José'),
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
