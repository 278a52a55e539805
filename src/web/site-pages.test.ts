/** The home page names the price of the least expensive plan, as the catalogue has it. */
import { expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import { pricesInForce } from '../catalogue/catalogue-content.server.ts';
import { cents } from '../platform/money.ts';
import { sitePages } from './site-pages.server.ts';

const content = ownContent();
const addOns = pricesInForce(content.addOns, new Date());

test.each([
  ['of several plans the lowest', [195_000, 45_000, 85_000], '$450'],
  ['with cents where there are any', [44_950], '$449.50'],
  ['with a comma in thousands', [120_000], '$1,200'],
  ['no price without a plan', [], ''],
])('%s', (_what, prices, from) => {
  const [plan] = content.plans;
  if (!plan) throw new Error('content/ has no plan');
  const plans = prices.map((price) => ({ ...plan, price: cents(price) }));
  const home = sitePages(content, { ...content, plans }, addOns, false).get('/');
  expect(home?.content).toMatchObject({ from });
});
