/** A quote for who is covered by the Safeguards Rule: the addendum is accepted with it. */
import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { linkOf } from '../../support/own-page.ts';
import { orderByQuote, QUOTE, sharedQuoteSite } from '../../support/quote-site.ts';
import { acceptanceOf, quoteByStaff } from '../../support/staff-quote.ts';
import { sharedStaff } from '../../support/test-app.ts';

const site = sharedQuoteSite();
const staff = sharedStaff(() => site.app);

/** What the customer of a quote with the addendum sends, and where. */
async function quoted(dueDays: number | null) {
  const made = await quoteByStaff(staff, { ...QUOTE, dueDays, addendum: true });
  const { token, title, addendum, ...seen } = await acceptanceOf(site.app, made.token);
  const [path, body] =
    dueDays === null
      ? ['/api/create-payment-intent', orderByQuote(token, { name: 'Dana Fox', title, addendum })]
      : ['/api/quote/accept', { token, title, addendum, ...seen }];
  const accept = (change: object = {}) => site.app.visitor().post(path, { ...body, ...change });
  return { ...made, accept, addendum };
}

test.each([
  ['card', null],
  ['invoice', 15],
])(
  'a customer under the Safeguards Rule accepts the addendum with a quote by %s, and its text is kept',
  async (_, dueDays) => {
    const { token, accept, addendum } = await quoted(dueDays);
    const page = (await site.app.visitor().get(`/quote/${token}`)).text;
    expect(page).toContain('href="/safeguards-addendum"');
    const { status, json } = await accept();
    expect([status, json.message]).toEqual([200, undefined]);
    const link = await linkOf(site.app, json.orderId);
    const own = (await site.app.visitor().post('/api/order-page', { token: link.token })).json;
    expect(own.addendum).toMatchObject({ name: 'Dana Fox', title: 'CFO', termsHash: addendum });
    const kept = (await site.app.visitor().get(`/api/terms/${addendum}`)).text;
    expect([hash('sha256', kept), kept]).toEqual([
      addendum,
      expect.stringContaining('# Safeguards Addendum'),
    ]);
    const { changes } = (await staff.get(`/api/orders/${json.orderId}`)).json;
    expect(JSON.stringify(changes)).toContain('The Safeguards addendum was accepted');
  },
);

test.each([
  ['card', null],
  ['invoice', 15],
])(
  'nobody accepts by %s another text than they read, or without the title of who does',
  async (_, dueDays) => {
    const { accept } = await quoted(dueDays);
    const changed = {
      status: 409,
      json: { message: 'The addendum has changed. Please read it again.' },
    };
    expect(await accept({ addendum: 'f'.repeat(64) })).toMatchObject(changed);
    expect(await accept({ addendum: undefined })).toMatchObject(changed);
    expect(await accept({ title: undefined })).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'title' }] },
    });
  },
);

test('staff who take the addendum out of a quote ask nobody to accept it', async () => {
  const { path, body, token } = await quoted(null);
  const { status, json } = await staff.post(path, { ...body, addendum: false });
  expect([status, json.addendum]).toEqual([200, null]);
  const order = orderByQuote(token);
  const placed = await site.app.visitor().post('/api/create-payment-intent', order);
  const link = await linkOf(site.app, placed.json.orderId);
  const own = (await site.app.visitor().post('/api/order-page', { token: link.token })).json;
  expect(own.addendum).toBeNull();
});
