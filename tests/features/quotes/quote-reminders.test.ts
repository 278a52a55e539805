/** Customers are reminded seven days and one day before a quote ends, each time once, and can stop it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { remindersDue, remindersPast } from '../../../src/quotes/quote.ts';
import { quoteReminder } from '../../../src/quotes/quote-mails.server.ts';
import { remindOfQuotes } from '../../../src/quotes/quote-reminders.server.ts';
import { type QuoteSite, startQuoteSite } from '../../support/quote-site.ts';
import { standInGateway } from '../../support/stand-in-gateway.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let site: QuoteSite;
beforeAll(async () => {
  site = await startQuoteSite();
});
afterAll(() => site.stop());

let reminded: number[] = [];
beforeEach(() => {
  reminded = [];
});
/** The site's own look comes every ten minutes; here it comes now, and is watched. */
const look = () =>
  remindOfQuotes({
    db: site.app.database.db,
    gateway: standInGateway(),
    notify: async (_, kind, id) => {
      expect(kind).toBe(quoteReminder);
      reminded.push(id);
    },
  });

describe('a quote of thirty days', () => {
  test('is reminded of at seven days and at one, each once', async () => {
    const { id } = await site.save();
    const timesAfter = async (days: number) => {
      await site.age(id, days);
      await look();
      await look();
      return reminded.filter((each) => each === id).length;
    };
    expect(await timesAfter(22.9)).toBe(0);
    expect(await timesAfter(0.2)).toBe(1);
    expect(await timesAfter(5.8)).toBe(1);
    expect(await timesAfter(0.2)).toBe(2);
    expect(await timesAfter(0.8)).toBe(2);
    expect(await timesAfter(1)).toBe(2);
  });

  test('of which nobody was reminded in time has the last reminder alone', async () => {
    const { id } = await site.save();
    await site.age(id, 29.5);
    await look();
    expect(reminded).toEqual([id]);
  });

  test('is reminded of once, however many servers look at once', async () => {
    const { id } = await site.save();
    await site.age(id, 24);
    await Promise.all([look(), look(), look(), look()]);
    expect(reminded).toEqual([id]);
  });

  test('that is stopped, withdrawn, paid or over is not spoken of', async () => {
    const [stopped, withdrawn, paid, over, on] = await Promise.all(
      Array.from({ length: 5 }, () => site.save()),
    );
    if (!stopped || !withdrawn || !paid || !over || !on) throw new Error('five were saved');
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
    await site.age(over.id, 31);
    await look();
    expect(reminded).toEqual([on.id]);
  });
});

test('many that are due do not keep each other from being reminded of', async () => {
  const { db } = site.app.database;
  const { id } = await site.save();
  const row = await db
    .selectFrom('quotes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const first = 1_000_000;
  const rows = Array.from({ length: 250 }, (_, at) => ({
    ...row,
    id: first + at,
    reminded: 1,
    expiresAt: Date.now() + 3 * DAY_MS + at,
  }));
  await db.insertInto('quotes').values(rows.slice(0, 125)).execute();
  await db.insertInto('quotes').values(rows.slice(125)).execute();
  await site.age(id, 24);
  await look();
  expect(reminded).toEqual([id]);
});

test('what is too short for a reminder gets none', () => {
  const now = Date.now();
  const past = (days: number) => remindersPast(now + days * DAY_MS, now);
  expect([1, 2, 3, 8, 9, 30].map(past)).toEqual([2, 2, 1, 1, 0, 0]);
  const due = (days: number) => remindersDue(now + days * DAY_MS, now);
  expect([0.5, 1, 1.1, 7, 7.1].map(due)).toEqual([2, 2, 1, 1, 0]);
});
