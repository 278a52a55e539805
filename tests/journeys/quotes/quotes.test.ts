/** A visitor saves a quote, a colleague pays it; staff make, change and withdraw quotes. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { MAX_QUOTE_NOTE } from '../../../src/limits.ts';
import { boxOf } from '../../support/boxes.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { CARDS, fillPayment, newEmail, pay } from '../../support/checkout-steps.ts';
import { focusedName, hasFocus, isInView } from '../../support/control-state.ts';
import { fillFields } from '../../support/fill-fields.ts';
import { holdRequests, loseAnswer } from '../../support/hold-requests.ts';
import { expectPrintedPages } from '../../support/printed-pages.ts';
import { sharedQuoteSite } from '../../support/quote-site.ts';
import { savedOrder } from '../../support/saved-order.ts';
import { quoteByStaff } from '../../support/staff-quote.ts';
import { insertSubmission, openDetails, signIn } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { expectToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

const CHOICE = 'plan=2&microsoft365=business_standard&ms365_users=26&cloud_backup=true';
const TOTAL = '$1,303.70';

describe.each(SCREENS)('quotes on a $name', (screen) => {
  const browser = sharedBrowser();
  const site = sharedQuoteSite();
  const unmailed = sharedTestApp();

  const opened = async ({ id }: { id: number }) =>
    (await (await site.app.staff()).get(`/api/admin/quotes/${id}`)).json.opened;

  const sheet = (page: Page) => page.getByRole('article', { name: 'The quote' });

  test('a visitor saves a choice as a quote, and a colleague opens its link and pays it', async () => {
    const page = await browser.visit(screen, site.app, `/checkout?${CHOICE}`);
    await page.getByRole('button', { name: 'Save as a quote' }).click();
    const form = page.getByRole('dialog', { name: 'Save as a quote' });
    await form.waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save quote' }).click();
    await form.getByText('Name must be at least 2 characters').waitFor();
    await form.getByText('Please enter a valid email address').waitFor();
    await expect.poll(() => hasFocus(form.getByLabel('Name'))).toBe(true);
    // Nothing is cut off a text that is pasted.
    await form.getByLabel('Note').focus();
    await page.keyboard.insertText('n'.repeat(MAX_QUOTE_NOTE + 1));
    await form.getByRole('button', { name: 'Save quote' }).click();
    await form.getByText(`Please use at most ${MAX_QUOTE_NOTE} characters`).waitFor();
    const email = newEmail('dana');
    const company = 'Fox Motors';
    const note = 'For the store in Macon';
    await fillFields(form, { Name: 'Dana Fox', Email: email, Company: company, Note: note });
    // Added by an extension of the browser.
    await form.getByRole('form').evaluate((element) => {
      const field = document.createElement('input');
      element.prepend(Object.assign(field, { name: 'email', value: 'x@y.example', hidden: true }));
    });
    await form.getByRole('button', { name: 'Save quote' }).click();
    const saved = page.getByRole('dialog', { name: 'Your quote is saved' });
    await saved.getByText(`We’ve also emailed the link to ${email}.`).waitFor();
    await expect.poll(() => hasFocus(saved.getByLabel('Link to the quote'))).toBe(true);
    await expectAccessible(page);
    const url = await saved.getByLabel('Link to the quote').inputValue();

    const colleague = await browser.visit(screen, site.app, url);
    for (const text of ['Dana Fox', company, note, TOTAL])
      await sheet(colleague).getByText(text).waitFor();
    await expectAccessible(colleague);
    if (screen.name === 'desk') await expectPrintedPages(colleague, 1, 'a quote');
    await colleague.getByRole('button', { name: 'Stop reminders' }).click();
    await colleague.getByText('We won’t email reminders about this quote.').waitFor();
    await colleague.getByRole('link', { name: 'Accept and pay' }).first().click();
    await colleague.getByRole('heading', { level: 1, name: /^Pay for quote Q-/ }).waitFor();
    const side = colleague.getByRole('region', { name: 'Price and payment' });
    await side.getByText(TOTAL).first().waitFor();
    // The round button rests, which would lie over the one to go on.
    expect(await colleague.getByRole('button', { name: 'Chat with us' }).count()).toBe(1);
    await colleague.getByLabel('Card Number').waitFor();
    await expectAccessible(colleague);
    await expect.poll(() => colleague.getByLabel('Company').inputValue()).toBe(company);
    await fillPayment(colleague, CARDS.good, newEmail('pat'));
    await pay(colleague);
    await expectToast(colleague, 'Payment successful!', 'Thank you for your purchase.');
    await colleague.getByRole('heading', { level: 1, name: 'You’re all set' }).waitFor();
    const paid = colleague.getByRole('region', { name: 'Payment', exact: true });
    for (const text of ['Paid for your first month', TOTAL]) await paid.getByText(text).waitFor();

    await page.goto(url);
    await page.getByText(/^Accepted \w+ \d+, \d{4}: the first month is paid$/).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Accept and pay' }).count()).toBe(0);
  });

  test('who closes the form while it saves, and whose answer is lost, saves no second quote', async () => {
    const page = await browser.visit(screen, site.app, `/checkout?${CHOICE}`, {
      allowErrors: /Failed to load resource/,
    });
    const email = newEmail('dana');
    const form = page.getByRole('dialog', { name: 'Save as a quote' });
    async function save() {
      await page.getByRole('button', { name: 'Save as a quote' }).click();
      await fillFields(form, { Name: 'Dana Fox', Email: email });
      await form.getByRole('button', { name: 'Save quote' }).click();
    }
    await loseAnswer(page, '**/api/quotes');
    const release = await holdRequests(page, '**/api/quotes');
    const lost = page.waitForEvent('requestfailed', (each) => each.url().endsWith('/api/quotes'));
    await save();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    release();
    await lost;
    await save();
    await page.getByRole('dialog', { name: 'Your quote is saved' }).waitFor();
    const { db } = site.app.database;
    const made = db.selectFrom('quotes').select('id').where('email', '=', email);
    expect(await made.execute()).toHaveLength(1);
  });

  variant('an expired quote says so and leads to the same choice at today’s prices', async () => {
    const { token, id } = await site.save();
    await site.age(id, 31);
    const page = await browser.visit(screen, site.app, `/quote/${token}`, {
      allowErrors: /Failed to load resource/,
    });
    await page.getByText(/^Expired \w+ \d+, \d{4}$/).waitFor();
    await expectAccessible(page);
    const onward = page.getByRole('link', { name: 'See today’s prices' });
    const side = page.getByRole('region', { name: 'Price and acceptance' });
    const [inner, outer] = [await boxOf(onward), await boxOf(side)];
    expect(inner.right).toBeLessThan(outer.right);
    await onward.click();
    await page.waitForURL(/\/checkout\?plan=1&microsoft365=business_standard&ms365_users=10/);
    await page.goto(`${site.app.address}/checkout?quote=${token}`);
    await page.getByText(/^Expired/).waitFor();
    await expect.poll(() => page.getByLabel('Card Number').count()).toBe(0);
    await page.goto(`${site.app.address}/quote/${'x'.repeat(22)}`);
    await page.getByText('This link isn’t valid.').waitFor();
  });

  test('a customer under the Safeguards Rule accepts the addendum with name and title, and pays by card', async () => {
    const { token } = await quoteByStaff(await site.app.staff(), { addendum: true });
    const page = await browser.visit(screen, site.app, `/checkout?quote=${token}`);
    await fillPayment(page, CARDS.good, newEmail('dana'));
    await page.getByRole('link', { name: 'Safeguards addendum' }).waitFor();
    await pay(page);
    await page.getByText('Please enter your title').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Your Title').fill('Owner');
    await pay(page);
    await page.getByText(/^Ann Lee, Owner: /).waitFor();
  });

  variant('who pays a quote that another tab has paid reads that nothing was charged', async () => {
    const { token, reference } = await site.save();
    const page = await browser.visit(screen, site.app, `/checkout?quote=${token}`, {
      allowErrors: /409/,
    });
    await fillPayment(page, CARDS.good, newEmail('dana'));
    await site.pay(token);
    await pay(page);
    const said = `Quote ${reference} has already been accepted. Nothing has been charged now.`;
    await expectToast(page, 'Payment Error', said);
    await page.getByText(/^Accepted \w+ \d+, \d{4}: the first month is paid$/).waitFor();
  });

  test('who pays a quote that was withdrawn while they read it sees so, and the way to today’s prices', async () => {
    const staff = await site.app.staff();
    const { token, path } = await quoteByStaff(staff);
    const page = await browser.visit(screen, site.app, `/checkout?quote=${token}`, {
      allowErrors: /410/,
    });
    await fillPayment(page, CARDS.good, newEmail('dana'));
    await staff.post(`${path}/withdraw`, {});
    await pay(page);
    await expectToast(page, 'Payment Error', 'was withdrawn');
    await page.getByRole('link', { name: 'See today’s prices' }).waitFor();
    expect(await page.getByRole('form', { name: 'Payment' }).count()).toBe(0);
  });

  test('a visitor retries loading a quote in the checkout', async () => {
    const { token, reference } = await site.save();
    const page = await browser.open(screen, { allowErrors: /Failed to load resource/ });
    await page.route('**/api/quote', (route) => route.abort());
    await page.goto(`${site.app.address}/checkout?quote=${token}`);
    await page.getByText('We couldn’t load your quote.').waitFor();
    await page.unroute('**/api/quote');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: `Pay for quote ${reference}` }).waitFor();
    // The checkout does not show what a visitor typed.
    await expect.poll(() => page.getByText('Fox Motors').count()).toBe(0);
  });

  test('without script reads that paying and accepting need it', async () => {
    const staff = await site.app.staff();
    const [card, invoice] = [await quoteByStaff(staff), await quoteByStaff(staff, { dueDays: 20 })];
    const page = await browser.visit(screen, site.app, `/checkout?quote=${card.token}`, {
      script: false,
    });
    await page.getByText('This page needs JavaScript to show your quote.').waitFor();
    expect(await page.getByText('Loading your quote').isVisible()).toBe(false);
    await page.goto(`/quote/${invoice.token}`);
    await page.getByText('Accepting needs JavaScript.').waitFor();
    expect(await page.getByLabel('Your name').isVisible()).toBe(false);
  });

  test('staff whom a thread has led to a new quote, and who close it, find the list when they come back', async () => {
    const thread = await insertSubmission(site.app);
    const page = await browser.visitAsStaff(screen, site.app, `/admin?open=${thread}`);
    await openDetails(page);
    await page.getByRole('button', { name: 'New quote…' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    await form.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'All Quotes' }).waitFor();
    expect(await form.count()).toBe(0);
  });

  variant('words of staff’s that are wider than a phone are broken', async () => {
    const reason = `https://tidewell.example/${'agreement'.repeat(15)}`;
    const { token } = await quoteByStaff(await site.app.staff(), {
      discount: { kind: 'percent', value: 10, reason },
      once: [{ label: 'Onboarding'.repeat(10), amount: 1500 }],
    });
    const page = await browser.visit(screen, site.app, `/quote/${token}`);
    await sheet(page).getByText(reason).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(screen.width);
  });

  test('staff make a quote with a discount, change it and withdraw it', async () => {
    const page = await browser.visitAsStaff(screen, site.app, '/admin/quotes');
    await page.getByRole('button', { name: 'New quote' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    await expectAccessible(page);
    await form.getByLabel('Valid for (days)').fill('0');
    await form.getByRole('button', { name: 'Make quote' }).click();
    await form.getByText('Please choose a plan').waitFor();
    await form.getByText('Please enter a whole number from 1 to 365').waitFor();
    await expect.poll(() => hasFocus(form.getByLabel('Name'))).toBe(true);
    await form.getByLabel('Valid for (days)').fill('30');
    await fillFields(form, { Name: 'Lou Lane', Email: 'lou@lane.example' });
    await form.getByLabel('Plan', { exact: true }).selectOption('Enterprise');
    await form.getByLabel('Discount on the plan').selectOption('Percent');
    await form.getByRole('button', { name: 'Make quote' }).click();
    await form.getByText('Please say why there is a discount').waitFor();
    const percent = form.getByLabel('Percent', { exact: true });
    await percent.fill('10%');
    await form.getByLabel('Reason').fill('Three stores');
    await form.getByRole('button', { name: 'Make quote' }).click();
    await form.getByText('Please enter a whole number from 1 to 90').waitFor();
    await percent.fill('10');
    await form.getByRole('button', { name: 'Make quote' }).click();
    const detail = page.getByRole('heading', { level: 2, name: /^Quote Q-/ });
    await detail.waitFor();
    await expect.poll(() => hasFocus(detail)).toBe(true);
    await page.getByText('10% off the plan: Three stores').waitFor();
    await page.getByText('Monthly total').locator('..').getByText('$1,755.00').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Get a link' }).click();
    const url = await page.getByLabel('Link to the quote').inputValue();

    await page.getByRole('button', { name: 'Change…' }).click();
    await percent.fill('20');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('20% off the plan: Three stores').waitFor();
    const customer = await browser.visit(screen, site.app, url);
    await sheet(customer).getByText('$1,560.00').waitFor();

    await page.getByRole('button', { name: 'Withdraw…' }).click();
    // As on a slow machine, the dialog closes before what it changed is drawn.
    await page.evaluate(() => {
      const { setTimeout: wait } = window;
      const slowly = (act: () => void, ms = 0) => wait(act, Math.max(ms, 50));
      Object.assign(window, { setTimeout: slowly });
    });
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const withdrawn = page.getByText('Withdrawn', { exact: true });
    await withdrawn.filter({ visible: true }).first().waitFor();
    // The button that had it is gone.
    await expect.poll(() => focusedName(page)).toBe('Get a link');
    await customer.reload();
    await customer.getByText('This quote can’t be accepted anymore').waitFor();
  });

  test('staff who make a quote where no email is set up read that they send its link themselves', async () => {
    const page = await browser.visitAsStaff(screen, unmailed, '/admin/quotes');
    await page.getByRole('button', { name: 'New quote' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    await form.getByText('please send the link to the customer yourself').waitFor();
    await expect.poll(() => form.getByLabel('Send the link').count()).toBe(0);
  });

  variant('staff who change a quote find its days left, and a license no longer sold', async () => {
    const { id } = await quoteByStaff(await site.app.staff(), { days: 90 });
    const { db } = site.app.database;
    await db.updateTable('quotes').set({ ms365Option: 'e1' }).where('id', '=', id).execute();
    const page = await browser.visitAsStaff(screen, site.app, `/admin/quotes?open=${id}`);
    await page.getByRole('button', { name: 'Change…' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    await expect.poll(() => form.getByLabel('Valid for (days)').inputValue()).toBe('90');
    expect(await form.getByLabel('Microsoft 365', { exact: true }).inputValue()).toBe('e1');
    expect(await form.getByLabel('Users').inputValue()).toBe('20');
    await expectAccessible(page);
  });

  test('staff who clear one of two amounts of a quote charge the other alone', async () => {
    const once = ['Onboarding', 'Migration'].map((label) => ({ label, amount: 1500 }));
    const { id } = await quoteByStaff(await site.app.staff(), { once });
    const page = await browser.visitAsStaff(screen, site.app, `/admin/quotes?open=${id}`);
    await page.getByRole('button', { name: 'Change…' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    await form.getByLabel('For', { exact: false }).first().clear();
    await form.getByLabel('Dollars', { exact: true }).first().clear();
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('Migration').filter({ visible: true }).first().waitFor();
    expect(await page.getByText('Onboarding').filter({ visible: true }).count()).toBe(0);
  });

  variant('staff who change a quote while a colleague does overwrite nothing', async () => {
    const staff = await site.app.staff();
    const { id, path, body } = await quoteByStaff(staff);
    const page = await browser.visitAsStaff(screen, site.app, `/admin/quotes?open=${id}`, {
      allowErrors: /409/,
    });
    await page.getByRole('button', { name: 'Change…' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    const save = form.getByRole('button', { name: 'Save changes' });
    await form.getByLabel('Company').fill('Lane Motors');
    await staff.post(path, { ...body, ms365Users: 33 });
    await save.click();
    await page.getByText('This quote has changed since you opened this.').waitFor();
    await save.click();
    await form.getByText('Please review it again.').waitFor();
    await expectAccessible(page);
    const users = form.getByLabel('Users');
    await expect.poll(() => users.inputValue()).toBe('20');
    await page.getByRole('button', { name: 'Start again' }).click();
    await expect.poll(() => users.inputValue()).toBe('33');
    await form.getByLabel('Company').fill('Lane Motors');
    await save.click();
    await form.waitFor({ state: 'detached' });
    const { json } = await staff.get(path);
    expect(json).toMatchObject({ company: 'Lane Motors', ms365Users: 33 });
  });

  test('staff write a quote to someone whom the desk knows, and the form says what it comes to', async () => {
    const { db } = site.app.database;
    const known = { name: 'Wilma Known', email: 'wilma@known.example', company: 'Known Motors' };
    const { id } = await savedOrder(db, { ...known, status: 'paid' });
    const page = await browser.visitAsStaff(screen, site.app, '/admin/quotes');
    await page.getByRole('button', { name: 'New quote' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    await form.getByLabel('Customer', { exact: true }).pressSequentially('known wil');
    await form.getByRole('option', { name: 'Wilma Known' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect.poll(() => form.getByLabel('Email').inputValue()).toBe(known.email);
    await expect.poll(() => form.getByLabel('Company').inputValue()).toBe(known.company);
    const total = form.getByRole('status').filter({ visible: true });
    await form.getByLabel('Plan', { exact: true }).selectOption('Essential');
    await total.getByText('$450.00').waitFor();
    await form.getByLabel('Microsoft 365').selectOption('Business Standard');
    await form.getByLabel('Users').fill('26');
    await form.getByLabel('Cloud backup').check();
    await form.getByLabel('Discount on the plan').selectOption('Percent');
    await form.getByLabel('Percent', { exact: true }).fill('10');
    await form.getByLabel('Reason').fill('Two stores');
    await form.getByLabel('For', { exact: false }).first().fill('Onboarding');
    await form.getByLabel('Dollars', { exact: true }).fill('1,500');
    await total.getByText('$858.70').waitFor();
    await form.getByText('Due on acceptance').filter({ visible: true }).waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Make quote' }).click();
    await page.getByRole('heading', { level: 2, name: /^Quote Q-/ }).waitFor();
    const sum = page.getByText('Monthly total').filter({ visible: true }).locator('..');
    await sum.getByText('$858.70').waitFor();

    await page.goto(`${site.app.address}/admin/orders?open=${id}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'New quote…' }).click();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe(known.name);
    await form.getByLabel('Plan', { exact: true }).selectOption('Professional');
    await form.getByRole('button', { name: 'Make quote' }).click();
    await page.getByRole('heading', { level: 2, name: /^Quote Q-/ }).waitFor();
    await page.getByText(known.email).filter({ visible: true }).first().waitFor();
  });

  test('staff who type a start day without its year make no quote that starts at once', async () => {
    const page = await browser.visitAsStaff(screen, site.app, '/admin/quotes');
    await page.getByRole('button', { name: 'New quote' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    await fillFields(form, { Name: 'Lou Lane', Email: 'lou@lane.example' });
    await form.getByLabel('Plan', { exact: true }).selectOption('Enterprise');
    const starts = form.getByLabel('Plan starts');
    await starts.pressSequentially('0115');
    await form.getByRole('button', { name: 'Make quote' }).click();
    await form.getByText('Please choose a day').waitFor();
    await expect.poll(() => hasFocus(starts)).toBe(true);
  });

  variant('staff who press Enter before people are found choose nobody else', async () => {
    const newest = { name: 'Nadia Newest', createdAt: Date.now() };
    await savedOrder(site.app.database.db, { ...newest, status: 'paid' });
    const page = await browser.visitAsStaff(screen, site.app, '/admin/quotes');
    await page.getByRole('button', { name: 'New quote' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    const customer = form.getByLabel('Customer', { exact: true });
    await customer.click();
    await form.getByRole('option', { name: 'Nadia Newest' }).waitFor();
    await page.route(/\?find=Fox/, () => undefined);
    await customer.fill('Fox');
    await page.keyboard.press('Enter');
    expect(await form.getByLabel('Name').inputValue()).toBe('');
    expect(await form.getByText('Please enter a valid email address').count()).toBe(0);
  });

  test('staff see whom they choose with the arrow keys, to the last one', async () => {
    for (const letter of 'ABCDEFGH')
      await savedOrder(site.app.database.db, {
        name: `${letter} Arrow`,
        email: `${letter}@arrow.example`,
      });
    const page = await browser.visitAsStaff(screen, site.app, '/admin/quotes');
    await page.getByRole('button', { name: 'New quote' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    const customer = form.getByLabel('Customer', { exact: true });
    await customer.fill('arrow');
    const last = form.getByRole('option', { name: 'Arrow' }).nth(7);
    await last.waitFor();
    await customer.press('ArrowUp');
    await expect.poll(() => last.getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => isInView(last)).toBe(true);
  });

  test('staff find what they typed of a quote after a slip, and after their session has ended', async () => {
    const page = await browser.visitAsStaff(screen, site.app, '/admin/quotes', {
      allowErrors: /401/,
    });
    const form = page.getByRole('form', { name: 'Quote' });
    const open = () => page.getByRole('button', { name: 'New quote' }).click();
    const users = form.getByLabel('Users');
    await open();
    await fillFields(form, { Name: 'Lou Lane', Email: 'lou@lane.example' });
    await form.getByLabel('Microsoft 365').selectOption('Business Standard');
    await users.fill('26');
    await form.getByLabel('Cloud backup').check();
    await form.getByRole('button', { name: 'Add an amount' }).click();
    await form.getByLabel('Dollars', { exact: true }).first().fill('200');
    await form.getByLabel('Dollars', { exact: true }).last().fill('1,500');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await open();
    await expect.poll(() => users.inputValue()).toBe('26');
    await form.getByLabel('Plan', { exact: true }).selectOption('Professional');
    const what = form.getByLabel('For', { exact: false });
    await what.first().fill('Migration');
    await what.nth(1).fill('Onboarding');

    await site.app.database.db.deleteFrom('sessions').execute();
    await form.getByRole('button', { name: 'Make quote' }).click();
    await page.getByText('Your session has expired').waitFor();
    await signIn(page);
    await open();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Make quote' }).click();
    await page.getByRole('heading', { level: 2, name: /^Quote Q-/ }).waitFor();
    for (const text of ['Lou Lane', '26 users', 'Onboarding', '$1,500.00'])
      await page.getByText(text).filter({ visible: true }).first().waitFor();

    await page.goto(`${site.app.address}/admin/quotes`);
    await open();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('');
    await form.getByLabel('Name').fill('Somebody else');
    await page.keyboard.press('Escape');
    await open();
    // On a phone, the button is where the one that opened the dialog was.
    await form.getByLabel('Company').fill('Lane Motors');
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('');
  });

  variant('a quote counts as viewed by a person, not by a mail scanner', async () => {
    const quote = await site.save();
    const page = await browser.visit(screen, site.app, `/quote/${quote.token}`);
    await sheet(page).waitFor();
    expect(await opened(quote)).toBe(0);
    await page.mouse.move(90, 90);
    await expect.poll(() => opened(quote)).toBe(1);
  });

  variant('what is typed of a quote is forgotten in all tabs with a sign-out in one', async () => {
    const page = await browser.visitAsStaff(screen, site.app, '/admin/quotes', {
      allowErrors: /401/,
    });
    await page.getByRole('button', { name: 'New quote' }).click();
    await page.getByRole('form', { name: 'Quote' }).getByLabel('Name').fill('Lou Lane');
    const kept = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    await expect.poll(kept).toContain('Lou');
    const other = await page.context().newPage();
    await other.goto('/admin');
    await other.getByRole('button', { name: 'Logout' }).click();
    await page.getByLabel('Username').waitFor();
    await expect.poll(kept).not.toContain('Lou');
  });

  test('staff who make a quote from a message find its sender filled in', async () => {
    const sender = { name: 'Thea Reed', email: 'thea@reed.example' };
    const id = await insertSubmission(site.app, sender);
    const page = await browser.visitAsStaff(screen, site.app, `/admin?open=${id}`);
    await openDetails(page);
    await page.getByRole('button', { name: 'New quote…' }).click();
    const form = page.getByRole('form', { name: 'Quote' });
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe(sender.name);
    await expect.poll(() => form.getByLabel('Email').inputValue()).toBe(sender.email);
  });
});
