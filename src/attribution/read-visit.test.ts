/** What counts as a source, and under which name. */
import { expect, test } from 'vitest';
import { CHROME } from '../../tests/support/access-records.ts';
import { readFirstVisit, visitLabel } from './read-visit.server.ts';

const readVisit = (visit: Record<string, string>) =>
  readFirstVisit(new Headers({ 'First-Visit': String(new URLSearchParams(visit)) }));

test('a name with odd signs stays as text', () => {
  const names = [
    'fall – dealers’ “days”',
    ...['"Autos" & more', '#summer * [2026]', '50% off! a=b; c$d', '🚗 Wochenende', '〈春〉'],
  ];
  for (const name of names) {
    const visit = { source: name, medium: name, campaign: name };
    expect(readVisit(visit)).toMatchObject({
      ...{ source: name.toLowerCase(), medium: name, campaign: name },
    });
    const url = `/?${new URLSearchParams({ utm_source: name })}`;
    const request = { method: 'GET', url, headers: { 'user-agent': CHROME } };
    expect(visitLabel(request)).toBe(name.toLowerCase());
  }
});

test.each([
  ['/', 'https://hooks.stripe.com/redirect/complete'],
  ['/', 'https://hooks.stripe.com./redirect/complete'],
  ['/checkout', 'https://checkout.stripe.com/c/pay/1'],
  ['/checkout/order', 'https://invoice.stripe.com/i/acct_1/live_1'],
  ['/checkout', 'https://link.com/'],
  ['/checkout?payment_intent=pi_1&redirect_status=succeeded', 'https://acs.bank.example/3ds'],
  ['/admin', 'https://login.microsoftonline.com/common'],
])('a return to %s from %s is no visit', (url, referer) => {
  const headers = { 'user-agent': CHROME, referer };
  expect(visitLabel({ method: 'GET', url, headers }, ['login.microsoftonline.com'])).toBe(
    undefined,
  );
  const own = { ...headers, referer: 'https://stripe.com.example/' };
  expect(visitLabel({ method: 'GET', url: '/', headers: own })).toBe('stripe.com.example');
});

test('a tab that began on the way back from a payment page came from nowhere', () => {
  expect(readVisit({ page: '/', host: 'hooks.stripe.com' }).host).toBeNull();
});

test.each(['/quote/AbC', '/QUOTE/AbC/'])('the first page %s keeps no token', (page) => {
  expect(readVisit({ page }).page).toBe('/quote');
});

test('a person with a telephone of Cubot is no bot', () => {
  const agent = CHROME.replace(/\(.*?\)/, '(Linux; Android 13; CUBOT P80)');
  expect(visitLabel({ method: 'GET', url: '/', headers: { 'user-agent': agent } })).toBe('Direct');
});
