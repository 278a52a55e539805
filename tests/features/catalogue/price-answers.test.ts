/** The prices in the HTML of the home page, and their agreement with the catalogue. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { ownContent } from '../../support/own-content.ts';
import { readHtml } from '../../support/page-html.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const { plans, comparison, questions } = ownContent();

describe('the prices on the home page', () => {
  const app = sharedTestApp();
  let html: string;
  beforeAll(async () => {
    html = (await app.visitor().get('/')).text;
  });

  const inside = (tag: string) =>
    new RegExp(`<${tag}[ >].*?</${tag}>`, 's').exec(
      html.slice(html.indexOf('id="pricing"')),
    )?.[0] ?? '';

  test('are shown for 20 people, line by line', () => {
    const { text } = readHtml(inside('form'));
    for (const words of [
      'How many people?',
      'Professional Sized for about 20 users.',
      'Professional plan $850.00',
      'Monthly total with Professional for 20 people: $850.00',
      'Essential for 20 people $450.00 $400.00 a month less than Professional.',
      'not charged per seat',
    ])
      expect(text.replaceAll('\u00a0', ' ')).toContain(words);
  });

  test('are compared in a table with row and column headings', () => {
    const table = inside('table');
    const headings = (scope: string) =>
      [...table.matchAll(new RegExp(`<th scope="${scope}".*?</th>`, 'gs'))].map(
        ([heading]) => readHtml(heading).text,
      );
    expect(readHtml(inside('caption')).text).toBe(comparison.caption);
    expect(headings('col')).toEqual([
      'Essential $450 per month',
      'Professional $850 per month',
      'Enterprise $1,950 per month',
    ]);
    expect(headings('rowgroup')).toEqual(comparison.groups.map(({ title }) => title));
    const rows = comparison.groups.flatMap((group) => group.rows);
    expect(headings('row')).toEqual(rows.map(({ label }) => label));
    expect(table.match(/<td/g)).toHaveLength(rows.length * plans.length + 1);
  });

  test('need at most 120,000 bytes of script in ten files', () => {
    const beforeChat = html.replace(/"vitals":\{"entry".*/, '');
    const named = new Set(beforeChat.match(/\/assets\/[\w.-]+\.js(?=")/g));
    const bytes = [...named].map((file) => readFileSync(`dist/client${file}.gz`).length);
    expect(bytes.length).toBeLessThanOrEqual(10);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(120_000);
  });
});

describe('the comparison agrees with the plans', () => {
  const rows = comparison.groups.flatMap((group) => group.rows);
  /** Rows that no plan lists as a feature. */
  const NOT_FEATURES = [
    'Sized for',
    'For the FTC Safeguards Rule',
    'Microsoft 365 licenses and cloud backup',
    'Month-to-month billing, no cancellation fee',
  ];
  /** Without what it replaces: '(instead of annual)'. */
  const plain = (features: readonly string[]) =>
    features.map((feature) => feature.replace(/ \(.*\)$/, ''));
  const inherits = (features: readonly string[]) => features[0]?.startsWith('Everything in ');

  test.each(plans.map((plan, place) => ({ ...plan, place })))(
    '$name',
    ({ id, place, features }) => {
      const says = rows
        .filter(({ label }) => !NOT_FEATURES.includes(label))
        .flatMap(({ label, plans: named }) => {
          const cell = named[id];
          if (typeof cell === 'string') return [`${cell} ${label.toLowerCase()}`];
          return cell ? [label] : [];
        });
      const own = plain(features).filter((feature) => !feature.startsWith('Everything in '));
      expect(says).toEqual(expect.arrayContaining(own));
      expect(inherits(features)).toBe(place > 0);
      const included = plans.slice(0, place + 1).flatMap((plan) => plain(plan.features));
      expect(says.filter((words) => !included.includes(words))).toEqual([]);
    },
  );

  test('on the number of users', () => {
    const sized = rows.find(({ label }) => label === 'Sized for')?.plans;
    expect(sized).toEqual(
      Object.fromEntries(plans.map(({ id, users }) => [id, `About ${users} users`])),
    );
    for (const { users, description } of plans) expect(description).toContain(`about ${users}`);
  });
});

test('the questions and answers agree with the company’s facts and the terms of service', () => {
  const { company, texts } = ownContent();
  const all = questions.map(({ question, answer }) => `${question} ${answer.join(' ')}`).join('\n');
  for (const fact of [
    company.phone.display,
    company.email,
    company.address.city,
    '8:30 AM to 5:30 PM',
  ])
    expect(all).toContain(fact);
  expect(all).not.toContain('{{');
  // The only promised time span is one business day.
  const spans = /\b(\d+|one|two|three|few) (minutes?|hours?|days?|(business )days?)\b/g;
  expect(all.match(spans)).toEqual(['one business day']);
  const terms = JSON.stringify(texts.find(({ name }) => name === 'terms-of-service')?.body);
  for (const promise of ['no cancellation fee', 'change nothing without your agreement'])
    expect([all, terms].map((text) => text.includes(promise))).toEqual([true, true]);
});
