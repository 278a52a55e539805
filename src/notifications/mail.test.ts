import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { DESK, type MailOutbox, startMailOutbox } from '../../tests/support/mail-outbox.ts';
import { Mailbox } from '../../tests/support/mailbox.ts';
import { CLOSED } from '../../tests/support/test-outbox.ts';

let post: MailOutbox;

async function start(more = {}): Promise<void> {
  post = await startMailOutbox(more);
}
afterEach(() => post.stop());

describe('a mail server in trouble', () => {
  test('gets the same mail again, recognisable as the same', async () => {
    await start();
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

  test('that refuses a mail for good is not asked again', async () => {
    await start();
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

describe('encryption', () => {
  test('a server whose certificate nobody vouches for gets nothing', async () => {
    post = await startMailOutbox({}, await Mailbox.start({ secure: true }));
    await post.site.chat({ createdAt: CLOSED });
    await eventually(async () =>
      expect((await post.deliveries())[0]?.lastAnswer).toMatch(/^not sent/),
    );
    expect(post.mailbox.tries).toBe(0);
  });

  test('a server that offers none gets nothing, unless it is this machine', async () => {
    const mailbox = await Mailbox.start();
    // 0.0.0.0 leads to this machine without being its loopback address.
    const SMTP_URL = `smtp://0.0.0.0:${mailbox.port}`;
    post = await startMailOutbox({ SMTP_URL }, mailbox);
    await post.site.chat({ createdAt: CLOSED });
    await eventually(async () =>
      expect((await post.deliveries())[0]?.lastAnswer).toMatch(/^not sent/),
    );
    expect(post.mailbox.tries).toBe(0);
  });
});
