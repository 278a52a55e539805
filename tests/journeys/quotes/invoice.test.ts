/** Staff allow an invoice, the customer accepts without a card, staff mark it as paid. */
import { describe, expect, test } from 'vitest';
import { dayAfter } from '../../../src/company/days.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { newEmail } from '../../support/checkout-steps.ts';
import { hasFocus } from '../../support/control-state.ts';
import { fillFields } from '../../support/fill-fields.ts';
import { ownContent } from '../../support/own-content.ts';
import { expectPrintedPages } from '../../support/printed-pages.ts';
import { sharedQuoteSite } from '../../support/quote-site.ts';
import { quoteByStaff } from '../../support/staff-quote.ts';

describe.each(SCREENS)('a quote by invoice on a $name', (screen) => {
  const browser = sharedBrowser();
  const site = sharedQuoteSite();

  test('is accepted with name, title and purchase order number, and marked as paid by staff', async () => {
    const staff = await browser.visitAsStaff(screen, site.app, '/admin/quotes');
    await staff.getByRole('button', { name: 'New quote' }).click();
    const form = staff.getByRole('form', { name: 'Quote' });
    await fillFields(form, { Name: 'Dana Fox', Email: newEmail('dana'), Company: 'Fox Motors' });
    await form.getByLabel('Plan', { exact: true }).selectOption('Enterprise');
    await form.getByLabel('How it is paid').selectOption('Invoice');
    await form.getByLabel('Due in (days)').fill('9');
    await form.getByRole('button', { name: 'Make quote' }).click();
    await form.getByText('Please enter a whole number from 10 to 60').waitFor();
    await form.getByLabel('Due in (days)').fill('20');
    await form.getByLabel('covered by the FTC Safeguards Rule').check();
    await expectAccessible(staff);
    await form.getByRole('button', { name: 'Make quote' }).click();
    await staff.getByText('By invoice, due in 20 days').waitFor();
    await staff.getByRole('button', { name: 'Get a link' }).click();
    const url = await staff.getByLabel('Link to the quote').inputValue();

    const page = await browser.visit(screen, site.app, url);
    await expect.poll(() => page.getByRole('link', { name: 'Accept and pay' }).count()).toBe(0);
    await expectAccessible(page);
    const sheet = page.getByRole('article', { name: 'The quote' });
    await sheet.getByRole('link', { name: 'Safeguards addendum' }).waitFor();
    const accept = page.getByRole('form', { name: 'Accept this quote' });
    await fillFields(accept, { 'Your name': 'Dana Fox', 'Purchase order number': '=SUM(A1)' });
    await accept.getByRole('button', { name: 'Accept' }).click();
    await accept.getByText('Please enter your title').waitFor();
    await accept.getByText('Please use letters from A to Z').waitFor();
    await expect.poll(() => hasFocus(accept.getByLabel('Your title'))).toBe(true);
    await fillFields(accept, { 'Your title': 'CFO', 'Purchase order number': 'PO 2026-17' });
    await accept.getByRole('button', { name: 'Accept' }).click();
    await page.getByText(/^Thank you. Your order is O-/).waitFor();
    await page.getByText(/^Accepted \w+ \d+, \d{4}$/).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'View your order and the invoice' }).click();
    const order = page.getByRole('region', { name: 'Your order' });
    for (const text of ['Invoice sent', 'PO 2026-17', 'Dana Fox, CFO: $1,950.00 per month and the'])
      await order.getByText(text).first().waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.getByRole('button', { name: 'Replace card' }).count()).toBe(0);

    // By itself: nobody reloads.
    await staff.getByRole('link', { name: /^O-/ }).click();
    await staff.getByText('PO 2026-17').waitFor();
    await expectAccessible(staff);
    await staff.getByRole('button', { name: 'Bank returns the debit' }).click();
    await staff.getByText('Bank debit returned').last().waitFor();
    await staff.getByRole('button', { name: 'Mark as paid…' }).click();
    const dialog = staff.getByRole('dialog', { name: 'Mark the invoice as paid' });
    await dialog.getByLabel('Amount received in dollars').fill('1900');
    await dialog.getByLabel('Reference').fill('Check 1042');
    await expectAccessible(staff);
    await dialog.getByRole('button', { name: 'Mark as paid' }).click();
    // It has the words, too.
    await dialog.waitFor({ state: 'hidden' });
    await staff.getByText('Paid outside').last().waitFor();
    await staff.getByText('$1,900.00 received').waitFor();
    // What came outside is given back there.
    await expect.poll(() => staff.getByRole('button', { name: 'Refund…' }).count()).toBe(0);
    await page.reload();
    await order.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Receipt' }).click();
    await page.getByText('Check 1042', { exact: true }).waitFor();
    await page.getByText('PO 2026-17').waitFor();
    await expectAccessible(page);
    if (screen.name === 'desk') await expectPrintedPages(page, 1, 'a receipt');
  });

  test('that staff change while it is read is read again, and accepted with what was typed', async () => {
    const staff = await site.app.staff();
    const { path, body, token } = await quoteByStaff(staff, { dueDays: 20 });
    const page = await browser.visit(screen, site.app, `/quote/${token}`, { allowErrors: /409/ });
    const accept = page.getByRole('form', { name: 'Accept this quote' });
    await fillFields(accept, { 'Your name': 'Dana Fox', 'Your title': 'CFO' });
    await staff.post(path, { ...body, ms365Users: 33 });
    await accept.getByRole('button', { name: 'Accept' }).click();
    await accept.getByText('Please read them again.').waitFor();
    await page
      .getByRole('article')
      .getByText(/^33\susers/)
      .first()
      .waitFor();
    await accept.getByRole('button', { name: 'Accept' }).click();
    await page.getByText(/^Thank you. Your order is O-/).waitFor();
  });

  test('that staff withdraw while it is read is said to be, when it is accepted', async () => {
    const staff = await site.app.staff();
    const { path, token } = await quoteByStaff(staff, { dueDays: 20 });
    const page = await browser.visit(screen, site.app, `/quote/${token}`, { allowErrors: /410/ });
    const accept = page.getByRole('form', { name: 'Accept this quote' });
    await fillFields(accept, { 'Your name': 'Dana Fox', 'Your title': 'CFO' });
    await staff.post(`${path}/withdraw`, {});
    await accept.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('link', { name: 'See today’s prices' }).waitFor();
    expect(await accept.count()).toBe(0);
    const side = page.getByRole('region', { name: 'Price and acceptance' });
    await expect.poll(() => hasFocus(side)).toBe(true);
  });

  test('with a start day and nothing before it promises no invoice, and names no sum as due', async () => {
    const startsOn = dayAfter(ownContent().company, Date.now(), 30);
    const staff = await site.app.staff();
    const { token } = await quoteByStaff(staff, { dueDays: 20, startsOn });
    const page = await browser.visit(screen, site.app, `/quote/${token}`);
    const accept = page.getByRole('form', { name: 'Accept this quote' });
    await fillFields(accept, { 'Your name': 'Dana Fox', 'Your title': 'CFO' });
    expect(await page.getByText(/Due today|First invoice/).count()).toBe(0);
    await accept.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('link', { name: 'View your order', exact: true }).waitFor();
    expect(await page.getByText('email you the invoice').count()).toBe(0);
  });
});
