import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { DESK, type MailOutbox, startMailOutbox } from '../../tests/support/mail-outbox.ts';
import { Mailbox } from '../../tests/support/mailbox.ts';
import { CLOSED } from '../../tests/support/test-outbox.ts';

let post: MailOutbox;

afterEach(() => post.stop());

describe('a failing mail server', () => {
  test('gets the email again with the same Message-ID and date', async () => {
    post = await startMailOutbox();
    const troubles = [451, 'reset', 'lose the answer'] as const;
    post.mailbox.behaviour = () => troubles[post.mailbox.tries - 1] ?? 'accept';
    await post.site.chat({ createdAt: CLOSED });
    await eventually(async () => {
      await post.site.hurry();
      expect(post.mailbox.to(DESK)).toHaveLength(2);
    });
    const mails = post.mailbox.to(DESK);
    await post.allAccepted();
    expect(mails.map(({ answerLost }) => answerLost)).toEqual([true, false]);
    expect(mails[0]?.messageId).toMatch(/^<outbox-\d+-[0-9a-z]+@tidewell\.example>$/);
    expect(mails[0]?.messageId).toBe(mails[1]?.messageId);
    expect(mails[0]?.date).toBe(mails[1]?.date);
    expect((await post.deliveries())[0]?.tries).toBe(4);
  });

  test('that refuses an email permanently does not get it again', async () => {
    post = await startMailOutbox();
    post.mailbox.behaviour = () => 550;
    await post.site.chat({ createdAt: CLOSED });
    await eventually(async () =>
      expect(await post.deliveries()).toMatchObject([
        { state: 'set aside', tries: 1, lastAnswer: expect.stringContaining('550') },
      ]),
    );
    expect(post.mailbox.tries).toBe(1);
  });
});

test.each([
  ['whose certificate is not trusted', { secure: true }, ({ variables }: Mailbox) => variables],
  [
    'that is not this machine and offers no encryption',
    {},
    // 0.0.0.0 reaches this machine but is not a loopback address.
    ({ port }: Mailbox) => ({ SMTP_URL: `smtp://0.0.0.0:${port}` }),
  ],
])('a mail server %s gets nothing', async (_what, options, variablesOf) => {
  const mailbox = await Mailbox.start(options);
  post = await startMailOutbox(variablesOf(mailbox), mailbox);
  await post.site.chat({ createdAt: CLOSED });
  await eventually(async () =>
    expect((await post.deliveries())[0]?.lastAnswer).toMatch(/^not sent/),
  );
  expect(mailbox.tries).toBe(0);
});
