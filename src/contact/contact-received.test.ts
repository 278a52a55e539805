import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DESK, type MailOutbox, startMailOutbox } from '../../tests/support/mail-outbox.ts';
import { PUBLIC_URL } from '../../tests/support/test-outbox.ts';

let post: MailOutbox;

beforeEach(async () => {
  post = await startMailOutbox();
});
afterEach(() => post.stop());

describe('a contact message', () => {
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
