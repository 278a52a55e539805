/** A customer's first year in two browsers, whose clock is moved from month to month. */
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { dayAfter, startOfDay } from '../../../src/company/hours.ts';
import { cents, formatDollars } from '../../../src/platform/money.ts';
import { booksDisagree } from '../../support/books.ts';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { CARDS, fillPayment, newEmail, pay } from '../../support/checkout-steps.ts';
import { fillFields } from '../../support/fill-fields.ts';
import { ownContent } from '../../support/own-content.ts';
import { sharedPriceSite } from '../../support/price-site.ts';
import { openAsStaff } from '../../support/staff-steps.ts';

const HOUR_MS = 3_600_000;
const FEE = '$1,500.00';
const BOOKS = 'books@fox.example';
const { company } = ownContent();

describe.each(SCREENS)('a year of a plan on a $name', (screen) => {
  const browser = sharedBrowser();
  const site = sharedPriceSite();

  const plan = (page: Page) => page.getByRole('region', { name: 'Plan and billing' });
  const orderOf = (page: Page) => page.getByRole('region', { name: 'Your order' });
  const next = (page: Page) => plan(page).getByText(/^\$[\d,]+\.\d\d$/);

  /** The newest mail with this in its subject. */
  async function mailed(to: string, subject: RegExp, times = 1): Promise<string> {
    const mails = () => site.mailbox.to(to).filter((mail) => subject.test(mail.subject ?? ''));
    await expect.poll(() => mails().length).toBe(times);
    return mails().at(-1)?.text ?? '';
  }

  test('staff do nothing but the quote and a notice of prices, and every sum that both sides read is what was charged', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { app } = site;
    const { db } = app.database;
    const email = newEmail('dana');
    const startsOn = dayAfter(company, Date.now(), 5);

    // A quote with a fee and a start day.
    const staff = await browser.visitAsStaff(screen, app, '/admin/quotes', { allowErrors: /401/ });
    await staff.getByRole('button', { name: 'New quote' }).click();
    const form = staff.getByRole('form', { name: 'Quote' });
    const facts = {
      Name: 'Dana Fox',
      Email: email,
      Company: 'Fox Motors',
      'Plan starts': startsOn,
    };
    await fillFields(form, facts);
    await form.getByLabel('Plan', { exact: true }).selectOption('Essential');
    await form.getByLabel('Microsoft 365').selectOption('business_standard');
    await form.getByLabel('Users').fill('10');
    await form.getByLabel(/^For/).fill('Onboarding');
    await form.getByLabel('Dollars').fill('1500');
    await form.getByText('$575.00').and(form.locator(':visible')).first().waitFor();
    await form.getByRole('button', { name: 'Make quote' }).click();
    await staff.getByRole('heading', { name: /^Quote Q-/ }).waitFor();
    const quoted = await mailed(email, /^Your quote Q-/);
    for (const words of ['$575.00', 'Onboarding, once', FEE]) expect(quoted).toContain(words);

    // Accepted by card, before its day.
    const [link = ''] = /http\S+\/quote\/\S+/.exec(quoted) ?? [];
    const page = await browser.visit(screen, app, link);
    await page.getByText(`Due today: ${FEE}`).waitFor();
    await page.getByRole('link', { name: 'Accept and pay' }).click();
    await fillPayment(page, CARDS.good, email);
    await page.getByText(`${FEE} is charged today.`).waitFor();
    await pay(page);
    await page.getByText('What was due today is paid.').waitFor();
    const first = await mailed(email, /^Receipt for/);
    expect(first).toContain(FEE);
    const { id } = await db
      .selectFrom('orders')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const invoices = () =>
      db.selectFrom('invoices').selectAll().where('orderId', '=', id).orderBy('number').execute();

    // On another computer, by a link that is mailed.
    await page.context().clearCookies();
    await page.goto('/checkout/order');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Email my links' }).click();
    const links = await mailed(email, /^Your orders at/);
    // As from a mail program: a page of its own, where no press came before.
    await page.goto('about:blank');
    await page.goto(/http\S+#\S+/.exec(links)?.[0] ?? '');
    await page.getByRole('button', { name: 'Continue to my plan' }).click();
    await next(page).waitFor();
    await orderOf(page)
      .getByText(/^Starts \w+ \d+, \d{4}$/)
      .waitFor();

    /** The month begins, whatever day it is, and the gateway charges it. */
    async function renew() {
      const last = (await invoices()).at(-1);
      vi.setSystemTime((last?.periodEnd ?? startOfDay(company, startsOn)) + HOUR_MS);
      const bank = await app.staff();
      const { status } = await bank.post(`/api/admin/orders/${id}/test`, { happens: 'renewed' });
      expect(status).toBe(200);
    }

    /** What the page had announced is charged, and stands in the mail. */
    async function nextMonth(): Promise<string> {
      const announced = (await next(page).textContent()) ?? '';
      await renew();
      const after = await invoices();
      const charged = formatDollars(after.at(-1)?.amountCents ?? cents(0));
      expect(charged).toBe(announced);
      expect(await mailed(email, /^Receipt for/, after.length)).toContain(charged);
      await page.reload();
      await next(page).waitFor();
      return charged;
    }

    let changes = 0;
    async function change(how: (form: ReturnType<Page['getByRole']>) => Promise<unknown>) {
      await page.getByRole('button', { name: 'Change plan' }).click();
      const form = page.getByRole('form', { name: 'Change your plan' });
      await how(form);
      await form.getByRole('button', { name: 'See the new price' }).click();
      const bill = form
        .getByText(/^Next bill on/)
        .locator('..')
        .getByRole('definition');
      const shown = await bill.textContent();
      await form.getByRole('button', { name: 'Confirm change' }).click();
      await plan(page).getByText('Your plan has changed.').waitFor();
      await expect.poll(() => next(page).textContent()).toBe(shown);
      changes += 1;
      expect(await mailed(email, /^Your plan has changed/, changes)).toContain(shown);
      return shown;
    }

    // It starts, and changes three times.
    expect(await nextMonth()).toBe('$575.00');
    const backup = await change((form) => form.getByLabel('Cloud backup').check());
    expect([await nextMonth(), backup]).toEqual(['$624.50', '$624.50']);
    const license = await change((form) =>
      form.getByLabel('Microsoft 365').selectOption('business_premium'),
    );
    expect([await nextMonth(), license]).toEqual(['$719.50', '$719.50']);
    const users = await change((form) => form.getByLabel('Users').fill('12'));
    expect([await nextMonth(), users]).toEqual(['$773.40', '$773.40']);

    // A bookkeeper gets papers as well.
    await page.getByRole('button', { name: 'Edit details' }).click();
    await page.getByLabel('Copies of papers to').fill(BOOKS);
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText(BOOKS).waitFor();
    expect(await mailed(BOOKS, /^Receipt for/, 0)).toBe('');
    const fifth = await nextMonth();
    expect(await mailed(BOOKS, /^Receipt for/)).toContain(fifth);

    // Notice of a price.
    await openAsStaff(staff, app, '/admin/prices');
    await staff.getByText('$773.40 → $791.09').waitFor();
    await staff.getByLabel('Choose all 1').check();
    await staff.getByRole('button', { name: 'Give notice…' }).click();
    const asked = staff.getByRole('dialog', { name: 'Give notice?' });
    await asked.getByRole('button', { name: 'Give notice' }).click();
    await staff.getByText('Done for 1 customer.').waitFor();
    const notice = await mailed(email, /^Your price/);
    for (const sum of ['$773.40', '$791.09']) expect(notice).toContain(sum);
    await page.reload();
    const prices = page.getByRole('region', { name: 'Your price changes' });
    for (const sum of ['$773.40', '$791.09']) await prices.getByText(sum).waitFor();
    expect([await nextMonth(), await nextMonth()]).toEqual(['$773.40', '$791.09']);
    await page.getByRole('link', { name: 'Receipt' }).first().click();
    const total = page.getByRole('article').getByText('Total', { exact: true }).locator('..');
    await total.getByText('$791.09', { exact: true }).waitFor();
    await page.goBack();
    for (let month = 8; month <= 12; month += 1) await renew();

    // An end, with the paid month.
    await page.reload();
    await page.getByRole('button', { name: 'Cancel plan…' }).click();
    const end = page.getByRole('dialog', { name: 'Cancel your plan?' });
    await end.getByLabel('Why are you leaving?').selectOption('The business is closing or sold');
    await end.getByRole('button', { name: 'Cancel plan' }).click();
    await plan(page).getByText('Your plan is canceled.').waitFor();
    const charged = await invoices();
    await renew();
    await mailed(email, /has ended$/);
    await page.reload();
    await orderOf(page).getByText('Nothing more will be charged.').waitFor();

    // Both sides read each charge, and the books agree.
    const sums = charged.map(({ amountCents }) => formatDollars(amountCents)).toReversed();
    expect(sums).toHaveLength(13);
    const receipts = site.mailbox.to(email).filter((mail) => mail.subject?.startsWith('Receipt'));
    expect(receipts.toReversed().map(({ text }, at) => text?.includes(sums[at] ?? ''))).toEqual(
      sums.map(() => true),
    );
    const amounts = (of: Page) =>
      of
        .getByRole('region', { name: 'Payments' })
        .getByRole('row')
        .getByText(/^\$[\d,.]+$/);
    expect(await amounts(page).allTextContents()).toEqual(sums);
    await openAsStaff(staff, app, `/admin/orders?open=${id}`);
    await staff.getByText('The business is closing or sold').waitFor();
    await expect.poll(() => amounts(staff).allTextContents()).toEqual(sums);
    expect(await invoices()).toEqual(charged);
    expect(await booksDisagree(db, { ids: [id] })).toEqual([]);
    const acts = await db.selectFrom('audit').select('kind').orderBy('id').execute();
    const byHand = acts.filter(({ kind }) => !/^(sign|password)/.test(kind));
    expect(byHand).toEqual([{ kind: 'quote-made' }, { kind: 'notice-price' }]);
  });
});
