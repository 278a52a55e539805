/** What the policies promise a reader is what the shipped settings do. */
import { expect, test } from 'vitest';
import { SAMPLE_ORDER } from '../../tests/support/call-row.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { readEnv } from '../env.server.ts';
import {
  CHAT_SECONDS,
  KNOWN_BROWSER_SECONDS,
  SESSION_IDLE_MS,
  SESSION_SECONDS,
  WORK_SIGN_IN_SECONDS,
} from '../limits.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const WORDS = ['none', 'one', 'two', ...Array<string>(7).fill('?'), 'ten', '?', 'twelve'];

const textOf = (page: string) => ownContent().texts.find(({ name }) => name === page)?.text ?? '';
const policies = textOf('security-policy') + textOf('privacy-policy');
const { logRetentionHours } = readEnv({});

test.each([
  `after ${WORDS[SESSION_IDLE_MS / 1_000 / HOUR]} hours without activity, or after ${WORDS[SESSION_SECONDS / HOUR]} hours at the latest`,
  `Set when you send a chat message, for ${CHAT_SECONDS / DAY} days`,
  `Set for ${WORDS[WORK_SIGN_IN_SECONDS / 60]} minutes when a staff member signs in`,
  `Set for ${KNOWN_BROWSER_SECONDS === 365 * DAY && 'a year'} where a staff member has signed in`,
  `Log entries are deleted after ${logRetentionHours} hours`,
  `by default ${logRetentionHours} hours in all`,
])('the policies say: %s', (promise) => expect(policies).toContain(promise));

test('the security policy claims no subdomains, which HSTS leaves out by default', () => {
  const sentence = /[^.]*HSTS[^.]*\./.exec(textOf('security-policy'))?.[0];
  expect(sentence).not.toContain('subdomain');
});

test('the terms name the formats of a customer’s data as a sentence does', () => {
  expect(textOf('terms-of-service')).toContain('as PST, CSV, and PDF, and end our access');
});

const app = sharedTestApp();

test('an order is seen by whom the security policy names, and the call refuses unknown fields as it says', async () => {
  expect(policies).toContain('anyone who has its private link can see it');
  expect(policies).toContain('Unknown fields are rejected.');
  const buyer = app.visitor();
  const { json } = await buyer.post('/api/create-payment-intent', SAMPLE_ORDER);
  const path = `/api/orders/${json.orderId}`;
  const seenBy = async (who: typeof buyer) => (await who.get(path)).status;
  expect([
    await seenBy(buyer),
    await seenBy(await app.staff()),
    await seenBy(app.visitor()),
  ]).toEqual([200, 200, 404]);
  const refused = await buyer.post('/api/create-payment-intent', { ...SAMPLE_ORDER, extra: 1 });
  expect(refused.status).toBe(400);
});
