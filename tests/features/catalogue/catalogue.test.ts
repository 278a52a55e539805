/** The catalogue follows content/: at start, on a new day, and by its call. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { localDate } from '../../../src/company/days.ts';
import { changeItem } from '../../support/change-item.ts';
import { ownContentFolder, type Row } from '../../support/content-folder.ts';
import { eventually } from '../../support/eventually.ts';
import { ownContent } from '../../support/own-content.ts';
import { pageDataIn, readHtml } from '../../support/page-html.ts';
import { ownTestApp, startTestApp } from '../../support/test-app.ts';

const content = ownContentFolder();

const start = () => ownTestApp({}, content.folder());

test('a price that applies from tomorrow is shown from tomorrow', async () => {
  const tomorrow = Date.now() + 24 * 60 * 60 * 1000;
  const from = localDate(ownContent().company, tomorrow);
  const path = content.path('catalogue/add-ons.json');
  const { microsoft365, cloudBackup } = JSON.parse(readFileSync(path, 'utf8'));
  const raised = { ...microsoft365[0], pricePerUser: 15, from };
  writeFileSync(path, JSON.stringify({ cloudBackup, microsoft365: [...microsoft365, raised] }));
  const app = await start();
  const shown = async () => {
    const html = (await app.visitor().get('/')).text;
    const { text } = readHtml(html);
    const { islands } = pageDataIn(html);
    const { props } = islands.find(({ name }: { name: string }) => name === 'Planner');
    const { pricePerUser } = props.prices.microsoft365.business_standard;
    return [/Business Standard (\S+ per user)/.exec(text)?.[1], pricePerUser];
  };
  expect(await shown()).toEqual(['$12.50 per user', 1250]);
  vi.useFakeTimers({ toFake: ['Date'], now: tomorrow });
  expect(await shown()).toEqual(['$15.00 per user', 1500]);
});

test('a plans file that becomes invalid while the site runs is answered with 503, read once in ten seconds, and changes nothing', async () => {
  const app = await start();
  const before = (await app.visitor().get('/api/plans')).text;
  content.changeRow('catalogue/plans.json', 0, { features: 'all of them' });
  for (let i = 0; i < 3; i += 1) {
    const { status, headers } = await app.visitor().post('/api/update-plans');
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
  }
  // Fixed, but within the ten seconds in which the file is not read again.
  content.changeRow('catalogue/plans.json', 0, { features: ['mended'] });
  expect((await app.visitor().post('/api/update-plans')).status).toBe(503);
  expect((await app.visitor().get('/api/plans')).text).toBe(before);
});

test('a picture may be on another host, and an article without one shows the logo', async () => {
  const image = 'https://images.example/desk?q=1';
  content.changeRow('catalogue/services.json', 0, { image });
  content.edit('news/data-fencing.md', 'image: /pictures/news-data-fencing.jpg\n', '');
  const app = await start();
  const { text, headers } = await app.visitor().get('/');
  expect(readHtml(text).loads).toContain(`${image}&w=1200&fm=webp`);
  expect(headers.get('content-security-policy')).toContain("img-src 'self' https://images.example");
  const logos = async (slug: string) => {
    const { loads } = readHtml((await app.visitor().get(`/news/${slug}`)).text);
    return loads.filter((address) => address.startsWith('/pictures/logo.svg')).length;
  };
  expect(await logos('data-fencing')).toBe((await logos('active-directory')) + 1);
});

test('every picture that the start accepts is served, in folders too', async () => {
  rmSync(content.path('pictures'));
  cpSync('content/pictures', content.path('pictures'), { recursive: true });
  mkdirSync(content.path('pictures/team/old.jpg'), { recursive: true });
  const names = ['photo.jpeg', 'IMG.JPEG', 'old.gif', 'team/anna.jpg', 'team/José 1.png'];
  for (const [index, name] of names.entries()) {
    writeFileSync(content.path(`pictures/${name}`), name);
    content.changeRow('catalogue/services.json', index, { image: `/pictures/${name}` });
  }
  const app = await start();
  const { loads } = readHtml((await app.visitor().get('/')).text);
  for (const name of names) {
    expect(loads).toContain(`/pictures/${name}`);
    const { status, text, headers } = await app.visitor().get(encodeURI(`/pictures/${name}`));
    expect([status, text]).toEqual([200, name]);
    expect(headers.get('content-type')).toMatch(/^image\/(jpeg|gif|png)$/);
  }
});

test('a restart brings changed, new and removed rows of content/ into the database', async () => {
  const before = await startTestApp({}, content.folder());
  content.changeRow('catalogue/plans.json', 0, { name: 'Starter', price: 99.5 });
  content.changeRow('catalogue/plans.json', 2, { id: 77 });
  const replace = (file: string, pattern: RegExp) => {
    const text = readFileSync(content.path(file), 'utf8');
    const named = text.replace(pattern, (_, before, after) => `${before}77${after}`);
    writeFileSync(content.path(file), named);
  };
  replace('catalogue/comparison.json', /(")3(":)/g);
  replace('safeguards/check.json', /("plans": \[.*?)3(\])/g);
  replace('safeguards/check.json', /("evidencePlan": )3(,)/g);
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

test('POST /api/update-plans brings the features of content/ to pages and lists, and counts only what differed', async () => {
  const app = await start();
  await changeItem(app.database.db, 'plans', 1, { features: ['a feature of yesterday'] });
  const home = async () => (await app.visitor().get('/')).text;
  const list = async () => (await app.visitor().get('/api/plans')).json[0].features;
  await eventually(async () => {
    const shown = (await home()).includes('a feature of yesterday');
    expect([await list(), shown]).toEqual([['a feature of yesterday'], true]);
  });
  const update = async () => (await app.visitor().post('/api/update-plans')).json;
  expect(await update()).toEqual({ success: true, updated: 1 });
  for (const shown of [await home(), await list()])
    expect(shown).not.toContain('a feature of yesterday');
  expect(await update()).toEqual({ success: true, updated: 0 });
});
