/** Customers are reminded of a quote seven days and one day before it expires, once each, and can stop it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { daysFrom, nextReminder } from '../../../src/quotes/quote.ts';
import { quoteReminder, sendQuoteReminders } from '../../../src/quotes/quote-mails.server.ts';
import { type QuoteSite, startQuoteSite } from '../../support/quote-site.ts';
import { standInGateway } from '../../support/stand-in-gateway.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let site: QuoteSite;
beforeAll(async () => {
  // Without mail, the site itself sends no reminders.
  site = await startQuoteSite({ SMTP_URL: '', MAIL_FROM: '', MAIL_TO: '' });
});
afterAll(() => site.stop());

let reminded: number[] = [];
beforeEach(() => {
  reminded = [];
});
/** Runs the job that the site runs every ten minutes, and records whom it reminds. */
const sendReminders = () =>
  sendQuoteReminders({
    db: site.app.database.db,
    gateway: standInGateway(),
    notify: async (_, kind, id) => {
      expect(kind).toBe(quoteReminder);
      reminded.push(id);
    },
  });

describe('a quote of thirty days', () => {
  test('is reminded of seven days and one day before its end, once each', async () => {
    const { id } = await site.save();
    const timesAfter = async (days: number) => {
      await site.age(id, days);
      await sendReminders();
      await sendReminders();
      return reminded.filter((each) => each === id).length;
    };
    expect(await timesAfter(22.9)).toBe(0);
    expect(await timesAfter(0.2)).toBe(1);
    expect(await timesAfter(5.8)).toBe(1);
    expect(await timesAfter(0.2)).toBe(2);
    expect(await timesAfter(0.8)).toBe(2);
    expect(await timesAfter(1)).toBe(2);
  });

  test('whose reminders were all missed gets only the last one', async () => {
    const { id } = await site.save();
    await site.age(id, 29.5);
    await sendReminders();
    expect(reminded).toEqual([id]);
  });

  test('is reminded of once, even if four servers run the job at once', async () => {
    const { id } = await site.save();
    await site.age(id, 24);
    await Promise.all([sendReminders(), sendReminders(), sendReminders(), sendReminders()]);
    expect(reminded).toEqual([id]);
  });

  test('is not reminded of if it is withdrawn, paid or expired, or reminders are stopped', async () => {
    const [stopped, withdrawn, paid] = [await site.save(), await site.save(), await site.save()];
    const [expired, on] = [await site.save(), await site.save()];
    const visitor = site.app.visitor();
    const turn = (token: string, wanted: boolean) =>
      visitor.post('/api/quote/reminders', { token, wanted });
    expect((await turn(stopped.token, false)).json.reminders).toBe(false);
    await turn(on.token, false);
    expect((await turn(on.token, true)).json.reminders).toBe(true);
    const staff = await site.app.staff();
    await staff.post(`/api/admin/quotes/${withdrawn.id}/withdraw`, {});
    await site.pay(paid.token);
    for (const { id } of [stopped, withdrawn, paid, on]) await site.age(id, 24);
    await site.age(expired.id, 31);
    await sendReminders();
    expect(reminded).toEqual([on.id]);
  });
});

test('no reminder is due within a day of making the quote', () => {
  const now = Date.now();
  const reminders = [1, 2, 3, 8, 9, 30].map((days) => {
    const expiresAt = daysFrom(now, days);
    const due = nextReminder(expiresAt, daysFrom(now, 1));
    return due && (expiresAt - due) / DAY_MS;
  });
  expect(reminders).toEqual([null, null, 1, 1, 7, 7]);
});
