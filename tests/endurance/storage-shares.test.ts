/**
 * However long one network, or many addresses, store what they can: everybody else can buy, chat
 * and write at each moment.
 */
import { expect, test, vi } from 'vitest';
import { MAX_CHAT_MESSAGE, MAX_CONTACT_MESSAGE, STORED_A_DAY } from '../../src/limits.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../support/call-row.ts';
import { QUOTE } from '../support/quote-site.ts';
import { sized } from '../support/sized.ts';
import { OWN_PASSWORD, sharedTestApp } from '../support/test-app.ts';
import type { Visitor } from '../support/visitor.ts';

const app = sharedTestApp(OWN_PASSWORD);

let people = 0;
function newEmail(): string {
  people += 1;
  return `person-${people}@dealer.example`;
}

const WAYS: Record<string, (by: Visitor, text: string) => Promise<{ status: number }>> = {
  order: (by, text) =>
    by.post('/api/create-payment-intent', {
      ...SAMPLE_ORDER,
      email: newEmail(),
      name: text.slice(0, 100),
    }),
  chat: (by, text) =>
    by.post('/api/teams-chat', { message: text.slice(0, MAX_CHAT_MESSAGE), email: newEmail() }),
  message: (by, text) =>
    by.post('/api/contact', { ...SAMPLE_MESSAGE, email: newEmail(), message: text }),
  quote: (by) => by.post('/api/quotes', { ...QUOTE, email: newEmail() }),
};
const LONG = 'x'.repeat(MAX_CONTACT_MESSAGE);

async function storeAll(address: string): Promise<void> {
  for (const store of Object.values(WAYS))
    await store(Object.assign(app.visitor(), { address }), LONG);
}

/** What somebody else reads who buys, chats and writes now. */
async function others(): Promise<string[]> {
  const refused: string[] = [];
  for (const [way, store] of Object.entries(WAYS)) {
    const { status } = await store(app.visitor(), 'Our phones are down.');
    if (status !== 200 && status !== 201) refused.push(`${way} ${status}`);
  }
  return refused;
}

test.each([
  {
    attackers: 'an IPv6 /48, from a new /64 each time, for an hour',
    minutes: sized(5, 60),
    addresses: sized(20, 100),
    address: (n: number, minute: number) => `2001:db8:7:${(minute * 100 + n).toString(16)}::1`,
  },
  {
    attackers: 'ten IPv4 addresses of ten networks, for a day',
    minutes: sized(5, 24 * 60),
    addresses: 10,
    address: (n: number) => `203.0.${n}.9`,
  },
  {
    attackers: 'a thousand IPv4 addresses of as many networks, for an hour',
    minutes: sized(1, 60),
    addresses: sized(100, 1_000),
    address: (n: number) => `100.${64 + (n >> 8)}.${n & 255}.9`,
  },
])('while $attackers', async ({ minutes, addresses, address }) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await app.database.db.deleteFrom('storedBytes').execute();
  for (let minute = 0; minute < minutes; minute += 1) {
    vi.setSystemTime(Date.now() + 60_000);
    for (let n = 0; n < addresses; n += 1) await storeAll(address(n, minute));
    expect([minute, await others()]).toEqual([minute, []]);
  }
  const rows = await app.database.db.selectFrom('storedBytes').selectAll().execute();
  for (const [kind, bytes] of Object.entries(STORED_A_DAY)) {
    const used = rows.filter((row) => row.kind === kind && row.network === '');
    const sum = used.reduce((total, row) => total + row.bytes, 0);
    expect(sum).toBeLessThan(bytes);
  }
});
