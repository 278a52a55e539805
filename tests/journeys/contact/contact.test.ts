/** A visitor sends a message from the home page, with and without script. */
import { describe, expect, test } from 'vitest';
import { openBeforeScript } from '../../support/before-script.ts';
import { boxOf } from '../../support/boxes.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { comeToForm, contactForm, fillIn } from '../../support/contact-steps.ts';
import { focusedName, hasFocus, isInView, isReallyDisabled } from '../../support/control-state.ts';
import { fillFields } from '../../support/fill-fields.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { storedMessages } from '../../support/stored-messages.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { expectToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

const SENT = [
  'Message Sent Successfully!',
  "Thank you for your message. We'll get back to you soon.",
] as const;

const SERVICES = [
  'managed-it: IT Managed Services',
  'network: Network Support & Maintenance',
  'cybersecurity: Cybersecurity Services',
  'hardware: Hardware Procurement & Integration',
  'telecom: Telecommunications Services',
  'voip: VoIP Services',
  'cellular: Cellular Services',
  'internet: Internet Services',
  'cloud: Cloud Services',
  'virtual: Virtual Infrastructure',
  'saas: Software-as-a-Service',
  'consulting: IT Consulting',
  'other: Other',
];

describe.each(SCREENS)('the contact form on a $name', (screen) => {
  const app = sharedTestApp();
  const browser = sharedBrowser();

  async function openForm(allowErrors?: RegExp) {
    const page = await browser.visit(screen, app, '/', { allowErrors });
    return { page, form: contactForm(page) };
  }
  const stored = () => storedMessages(app, 'contact');

  variant('keeps what was typed before its script, despite an extension', async () => {
    const page = await browser.open(screen, { allowErrors: /#418|Hydration/ });
    const release = await openBeforeScript(page, `${app.address}/`);
    await fillIn(page);
    await page.evaluate(() => {
      for (const field of document.querySelectorAll('form[action="/contact"] [name]'))
        field.after(Object.assign(document.createElement('div'), { className: 'filler' }));
    });
    release();
    await expect
      .poll(() => page.evaluate(() => document.querySelectorAll('.filler').length))
      .toBe(0);
    const form = contactForm(page);
    for (const [field, typed] of [
      ['Name', 'Ann Moore'],
      ['Email', 'ann@lakeside.example'],
      ['Phone', '770.555.0134'],
      ['Service', 'voip'],
      ['Message', 'Our phones drop calls every afternoon.'],
    ] as const)
      await expect.poll(() => form.getByLabel(field).inputValue()).toBe(typed);
    await form.getByRole('button', { name: 'Send Message' }).click();
    await form.getByText('Message received.').waitFor();
  });

  test('can be filled in and sent with the keyboard alone, disables its button meanwhile, then thanks with the reference and clears the fields', async () => {
    const { page, form } = await openForm();
    const helped = await form
      .locator('[autocomplete]')
      .evaluateAll((all) =>
        all.map((each) => ['name', 'autocomplete', 'inputmode'].map((of) => each.getAttribute(of))),
      );
    expect(helped).toEqual([
      ['name', 'name', null],
      ['email', 'email', 'email'],
      ['phone', 'tel', 'tel'],
    ]);
    expect(await form.getByLabel('Message').getAttribute('rows')).toBe('4');
    const choices = form.getByLabel('Service').locator('option:not([value=""])');
    expect(
      await choices.evaluateAll((all) =>
        all.map((each) => `${each.getAttribute('value')}: ${each.textContent}`),
      ),
    ).toEqual(SERVICES);

    const release = await holdRequests(page, '**/api/contact');
    const tabTo = async (label: string) => {
      await page.keyboard.press('Tab');
      await expect.poll(() => hasFocus(form.getByLabel(label))).toBe(true);
    };
    await form.getByLabel('Name').focus();
    await page.keyboard.type('Bo Li');
    await tabTo('Email');
    await page.keyboard.type('bo@garage.example');
    await tabTo('Phone');
    await page.keyboard.type('770.555.0134');
    await tabTo('Service');
    // The only service with this letter: slowly typed words are forgotten.
    await page.keyboard.press('o');
    await expect.poll(() => form.getByLabel('Service').inputValue()).toBe('other');
    await tabTo('Message');
    await page.keyboard.type('A message of some length');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const sending = form.getByRole('button', { name: 'Sending...' });
    await sending.waitFor();
    expect(await isReallyDisabled(sending)).toBe(true);
    await expectAccessible(page, '#contact');
    release();
    await expectToast(page, ...SENT);
    await expectAccessible(page, '#contact');
    const row = (await stored()).at(-1);
    expect(row).toMatchObject({ name: 'Bo Li', service: 'other', phone: '770.555.0134' });
    await form.getByText(`C-${row?.id}`).waitFor();
    await expect.poll(() => isInView(form.getByText('Message received.'))).toBe(true);
    await expect.poll(() => focusedName(page)).toBe('Send Message');
    for (const field of ['Name', 'Email', 'Phone', 'Service', 'Message'])
      await expect.poll(() => form.getByLabel(field).inputValue()).toBe('');
  });

  variant('shows the last submission in a debug panel until a reload', async () => {
    const { page, form } = await openForm(/mailto:/);
    const email = page.locator('#contact').getByRole('link', { name: 'hello@tidewell.example' });
    const panel = page.getByRole('heading', { name: 'Last Form Submission' });
    const typed = { Name: 'Cy Dahl', Email: 'cy@dahl.example', Message: 'Only what is needed' };
    await fillFields(form, typed);
    await form.getByRole('button', { name: 'Send Message' }).click();
    await expectToast(page, ...SENT);
    await email.dblclick();
    await panel.waitFor();
    await expect.poll(() => hasFocus(panel)).toBe(true);
    await expect.poll(() => isInView(panel)).toBe(true);
    for (const text of [...Object.values(typed), 'Not provided', 'Not specified'])
      await page.getByRole('definition').filter({ hasText: text }).last().waitFor();
    const received = page.getByText('Received', { exact: true });
    const { right } = await boxOf(received);
    expect((await boxOf(received.locator('+ dd'))).left).toBeGreaterThanOrEqual(right);
    await expectAccessible(page, '#contact');
    const shown = page.locator('#contact').getByRole('button', { name: 'Close', exact: true });
    await expect.poll(() => isInView(shown)).toBe(true);
    await shown.click();
    await panel.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(email)).toBe(true);
    await page.reload();
    await comeToForm(page);
    await email.dblclick();
    await page.getByText('Nothing has been sent from this tab yet.').waitFor();
    await email.dblclick();
    await panel.waitFor({ state: 'detached' });
  });

  test('shows errors at the fields and in a summary with links, and removes them when corrected', async () => {
    const { page, form } = await openForm();
    await fillFields(form, { Phone: '555-0134', Message: 'short' });
    await form.getByLabel('Name').focus();
    await form.getByLabel('Email').focus();
    await expect.poll(() => form.getByText('Name must be at least 2 characters').count()).toBe(0);

    await form.getByRole('button', { name: 'Send Message' }).click();
    for (const [field, message] of [
      ['Name', 'Name must be at least 2 characters'],
      ['Email', 'Please enter a valid email address'],
      ['Phone', 'Please enter at least 10 digits for your phone number'],
      ['Message', 'Message must be at least 10 characters'],
    ] as const) {
      await form.getByText(message, { exact: true }).waitFor();
      const control = form.getByLabel(field);
      expect(await control.getAttribute('aria-invalid')).toBe('true');
      const described = await control.getAttribute('aria-describedby');
      expect(await form.locator(`#${described?.split(' ').at(-1)}`).textContent()).toBe(message);
    }
    await expect.poll(() => focusedName(page)).toContain('Please fix these fields:');
    await expectAccessible(page, '#contact');
    await expect.poll(() => form.getByLabel('Phone').inputValue()).toBe('555-0134');

    await form.getByRole('link', { name: 'Message' }).click();
    await expect.poll(() => hasFocus(form.getByLabel('Message'))).toBe(true);
    await page.keyboard.type(' but longer now');
    await form.getByText('Message must be at least 10 characters').waitFor({ state: 'detached' });
    await form.getByText('Name must be at least 2 characters').waitFor();
  });

  test('says why a message was not sent, keeps it, and sends it again', async () => {
    const { page, form } = await openForm(/Failed to load resource/);
    const send = form.getByRole('button', { name: 'Send Message' });
    await fillIn(page);
    const refusal = 'Too many requests. Please try again in 42 seconds.';
    for (const [status, body, message] of [
      [429, JSON.stringify({ message: refusal }), refusal],
      [502, '', 'Failed to submit the form'],
      [502, 'The gateway is tired', 'The gateway is tired'],
      [200, 'Not JSON', 'Failed to receive response from server'],
    ] as const) {
      await page.route('**/api/contact', (route) => route.fulfill({ status, body }));
      await send.click();
      await expectToast(page, 'Form Submission Error', message);
      await form.getByText(message).waitFor();
      await page.unroute('**/api/contact');
    }
    await form.getByText('There was a problem sending your message.').waitFor();
    await expectAccessible(page, '#contact');
    await page.context().setOffline(true);
    await send.click();
    await form.getByText('You seem to be offline.').waitFor();
    await expect.poll(() => form.getByLabel('Message').inputValue()).toContain('every afternoon');
    await page.context().setOffline(false);
    await send.click();
    await form.getByText('Message received.').waitFor();
  });

  variant(
    'marks a field that only the server refuses, and shows an error that belongs to no field',
    async () => {
      const { page, form } = await openForm(/Failed to load resource/);
      const errors = [
        { path: 'email', message: 'Please enter a valid email address' },
        { path: '', message: 'It has fields that are not known here' },
      ];
      await page.route('**/api/contact', (route) =>
        route.fulfill({ status: 400, json: { message: errors[0]?.message, errors } }),
      );
      await fillIn(page);
      await form.getByRole('button', { name: 'Send Message' }).click();
      const summary = form.getByText('Please fix this field:');
      await summary.waitFor();
      await form.getByText('It has fields that are not known here').waitFor();
      const email = form.getByLabel('Email');
      expect(await email.getAttribute('aria-invalid')).toBe('true');
      await email.fill('ann@garage.example');
      await summary.waitFor({ state: 'detached' });
    },
  );

  test('does what was pressed before its script came', async () => {
    const page = await browser.open(screen);
    const asked: string[] = [];
    const script = /\/assets\/home-rest-islands-/;
    page.on('request', (request) => script.test(request.url()) && asked.push(request.url()));
    const release = await holdRequests(page, script);
    await page.goto(app.address);
    const form = contactForm(page);
    await form.getByLabel('Name').fill('Al');
    await form.getByRole('button', { name: 'Send Message' }).click();
    await expect.poll(() => asked).toHaveLength(1);
    release();
    await form.getByText('Message must be at least 10 characters').waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('Al');
  });

  test('works without script: the browser posts it and a page answers', async () => {
    const page = await browser.visit(screen, app, '/', {
      script: false,
      allowErrors: /400 \(Bad Request\)/,
    });
    const message = 'Sent without any script';
    const typed = { Name: 'Di Ek', Email: 'di@ek.example', Phone: '555', Message: message };
    await fillFields(page, typed);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.getByText('Please enter at least 10 digits for your phone number').waitFor();
    await expect.poll(() => page.url()).toBe(`${app.address}/contact`);
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe(message);
    await page.getByLabel('Phone').fill('');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.getByRole('heading', { name: 'Message Sent Successfully!' }).waitFor();
    expect((await stored()).at(-1)).toMatchObject({ name: 'Di Ek', phone: null });
  });

  variant('is hydrated on the page that answers a post, and keeps what was typed', async () => {
    const page = await browser.visit(screen, app, '/', { allowErrors: /400 \(Bad Request\)/ });
    const release = await holdRequests(page, /\/assets\/(?!theme).+\.js/);
    await contactForm(page).evaluate((form: HTMLFormElement) => form.submit());
    await page.waitForURL(`${app.address}/contact`, { waitUntil: 'commit' });
    await page.getByText('Name must be at least 2 characters').waitFor();
    await page.getByLabel('Message').fill('Typed at once');
    release();
    await page.waitForSelector(':root[data-ready]');
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Typed at once');
    await page.getByLabel('Name').fill('Ed Fox');
    await page.getByText('Name must be at least 2 characters').waitFor({ state: 'detached' });
    await expectAccessible(page);
  });
});
