/** Customers are reminded of a quote seven days and one day before it ends, unless they stop it. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  quoteMailed,
  quoteReminder,
  sendQuoteReminders,
} from '../../../src/quotes/quote-mails.server.ts';
import { findQuote, updateQuote } from '../../../src/quotes/quote-store.server.ts';
import { WITHOUT_MAIL } from '../../support/notified-site.ts';
import { ownContent } from '../../support/own-content.ts';
import { sharedQuoteSite, startQuoteSite } from '../../support/quote-site.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

// Without mail, the site itself sends no reminders.
const site = sharedQuoteSite(WITHOUT_MAIL);

let reminded: number[] = [];
beforeEach(() => {
  reminded = [];
});
/** Runs the job that the site runs every ten minutes, and records whom it reminds. */
const sendReminders = () =>
  sendQuoteReminders({
    db: site.app.database.db,
    notify: async (_, kind, id) => {
      expect(kind).toBe(quoteReminder);
      reminded.push(id);
    },
  });

describe('a quote of thirty days', () => {
  test('is reminded of seven days and one day before its end, once each', async () => {
    const { id, expiresAt } = await site.save();
    const left = (Date.parse(expiresAt) - Date.now()) / DAY_MS;
    // In the morning: fifteen hours before the midnight.
    for (const [days, times] of [
      [left - 7.625 - 0.1, 0],
      [0.2, 1],
      [5.8, 1],
      [0.2, 2],
      [0.8, 2],
      [1, 2],
    ] as const) {
      await site.age(id, days);
      await sendReminders();
      await sendReminders();
      expect(reminded).toEqual(Array(times).fill(id));
    }
  });

  test('is not reminded of if it is withdrawn, paid or expired, or reminders are stopped', async () => {
    const [stopped, withdrawn, paid] = [await site.save(), await site.save(), await site.save()];
    const [expired, on] = [await site.save(), await site.save()];
    const turn = async ({ token }: typeof on, wanted: boolean) => {
      const { json } = await site.app.visitor().post('/api/quote/reminders', { token, wanted });
      expect(json.reminders).toBe(wanted);
    };
    await turn(stopped, false);
    await turn(on, false);
    await turn(on, true);
    const staff = await site.app.staff();
    await staff.post(`/api/admin/quotes/${withdrawn.id}/withdraw`, {});
    await site.pay(paid.token);
    for (const { id } of [stopped, withdrawn, paid, on]) await site.age(id, 24);
    await site.age(expired.id, 31);
    await sendReminders();
    expect(reminded).toEqual([on.id]);
  });
});

test('a reminder that waits is not sent once it is stopped, and no email once the quote is withdrawn', async () => {
  const { db } = site.app.database;
  const context = {
    db,
    company: ownContent().company,
    publicUrl: site.app.address,
    isOwnAddress: () => false,
  };
  const { id } = await site.save();
  const emails = async (changed: Parameters<typeof updateQuote>[2]) => {
    await updateQuote(db, id, changed);
    const quote = await findQuote(db, id);
    const sent = [quoteMailed, quoteReminder].map(
      (kind) => quote && kind.customerEmail?.(quote, 0, context),
    );
    return (await Promise.all(sent)).map(Boolean);
  };
  expect(await emails({ remindersStopped: 0 })).toEqual([true, true]);
  expect(await emails({ remindersStopped: 1 })).toEqual([true, false]);
  expect(await emails({ remindersStopped: 0, withdrawnAt: 1 })).toEqual([false, false]);
});

describe('a reminder', () => {
  /** The reminder of a new quote, as the mail server gets it. */
  async function reminder() {
    const withMail = await startQuoteSite();
    onTestFinished(() => withMail.stop());
    const { id } = await withMail.save();
    const due = { kind: 'quote-reminder', subjectId: id, topic: `quote ${id}` };
    await saveDeliveries(withMail.app.database.db, [{ ...due, channel: 'mail-customer' }]);
    const isReminder = ({ subject = '' }) => subject.includes(' ends on ');
    await expect.poll(() => withMail.mailbox.mails.find(isReminder)).toBeDefined();
    const [saved, mail] = withMail.mailbox.mails.filter(({ subject = '' }) =>
      /^Your quote /.test(subject),
    );
    const headers = (email = mail) =>
      Object.fromEntries((email?.headers ?? []).map(({ key, value }) => [key, value]));
    return { withMail, id, saved: headers(saved), headers: headers() };
  }

  test('is stopped by one press in the mail program, and by no program that only opens its link', async () => {
    const { withMail, id, saved, headers } = await reminder();
    expect(saved['list-unsubscribe']).toBeUndefined();
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    const { pathname } = new URL(headers['list-unsubscribe']?.slice(1, -1) ?? '');
    const stopped = async () => (await findQuote(withMail.app.database.db, id))?.remindersStopped;
    // As a mail program on the web sends it.
    const foreign = { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' };
    const press = (path: string, type: string, body: string) =>
      withMail.app
        .visitor()
        .send(path, { method: 'POST', headers: { ...foreign, 'Content-Type': type }, body });
    expect((await withMail.app.visitor().get(pathname)).status).toBe(200);
    const form = 'application/x-www-form-urlencoded';
    expect((await press('/quote/unknown', form, 'List-Unsubscribe=One-Click')).status).toBe(404);
    expect(await stopped()).toBe(0);
    const parts =
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    for (const [type, body] of [
      [form, 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=b', parts],
    ] as const) {
      await updateQuote(withMail.app.database.db, id, { remindersStopped: 0 });
      const { status, text } = await press(pathname, type, body);
      expect([status, text, await stopped()]).toEqual([200, '', 1]);
    }
  });
});
