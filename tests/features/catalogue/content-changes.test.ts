/** What a changed content changes, and what a broken one leaves as it is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { ownContentFolder, type Row } from '../../support/content-folder.ts';
import { pageDataIn, readHtml } from '../../support/page-html.ts';
import { startTestApp } from '../../support/test-app.ts';

const content = ownContentFolder();
afterEach(() => vi.useRealTimers());

test('a price that holds from tomorrow on is shown tomorrow', async () => {
  const tomorrow = Date.now() + 24 * 60 * 60 * 1000;
  const from = new Date(tomorrow).toISOString().slice(0, 10);
  const path = content.path('catalogue/add-ons.json');
  const { microsoft365, cloudBackup } = JSON.parse(readFileSync(path, 'utf8'));
  const raised = { ...microsoft365[0], pricePerUser: 15, from };
  writeFileSync(path, JSON.stringify({ cloudBackup, microsoft365: [...microsoft365, raised] }));
  const app = await startTestApp({}, content.folder());
  const shown = async () => {
    const html = (await app.visitor().get('/')).text;
    const { text } = readHtml(html);
    const { addOns } = pageDataIn(html).view.content;
    const { pricePerUser } = addOns.microsoft365.business_standard;
    return [/Business Standard (\S+ per user)/.exec(text)?.[1], pricePerUser];
  };
  expect(await shown()).toEqual(['$12.50 per user', 1250]);
  vi.useFakeTimers({ toFake: ['Date'], now: tomorrow });
  expect(await shown()).toEqual(['$15.00 per user', 1500]);
  await app.stop();
});

test('the site does not start on faulty content, and leaves no server behind', async () => {
  content.bend('catalogue/plans.json', 0, { price: 'free' });
  await expect(startTestApp({}, content.folder())).rejects.toThrow(
    'catalogue/plans.json: [0].price',
  );
});

test('plans that are broken while the site runs leave it as it is, and are looked at once', async () => {
  const app = await startTestApp({}, content.folder());
  const before = (await app.visitor().get('/api/plans')).text;
  content.bend('catalogue/plans.json', 0, { features: 'all of them' });
  for (let i = 0; i < 3; i += 1) {
    const { status, headers } = await app.visitor().post('/api/update-plans');
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
  }
  // Mended within the ten seconds in which nobody looks again.
  content.bend('catalogue/plans.json', 0, { features: ['mended'] });
  expect((await app.visitor().post('/api/update-plans')).status).toBe(503);
  expect((await app.visitor().get('/api/plans')).text).toBe(before);
  await app.stop();
});

test('the database follows the content: what changed, what came, what went', async () => {
  const before = await startTestApp({}, content.folder());
  content.bend('catalogue/plans.json', 0, { name: 'Starter', price: 99.5 });
  content.bend('catalogue/plans.json', 2, { id: 77 });
  const compared = content.path('catalogue/comparison.json');
  writeFileSync(compared, readFileSync(compared, 'utf8').replaceAll('"3":', '"77":'));
  const check = content.path('safeguards/check.json');
  writeFileSync(
    check,
    readFileSync(check, 'utf8').replace(
      /("plans": \[.*?)3\]/g,
      (_, before: string) => `${before}77]`,
    ),
  );
  const praise = { id: 1, name: 'Ann', company: 'Lakeside Motors', comment: 'Quick.', rating: 5 };
  writeFileSync(content.path('catalogue/testimonials.json'), JSON.stringify([praise]));
  const app = await before.restart();
  const { json } = await app.visitor().get('/api/plans');
  expect(json.map((plan: Row) => [plan.id, plan.name, plan.price])).toEqual([
    [1, 'Starter', 99.5],
    [2, 'Professional', 850],
    [77, 'Enterprise', 1950],
  ]);
  const { text } = readHtml((await app.visitor().get('/')).text);
  expect(text).toContain('Starter $99.50 per month');
  expect(text).toContain('Lakeside Motors');
  await app.stop();
});
