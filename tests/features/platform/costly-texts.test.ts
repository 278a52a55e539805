/** No text that anybody sends costs much more of the processor than a plain one of the same length. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTACT_FIELDS } from '../../../src/contact/contact.ts';
import type { StaffMessage } from '../../../src/notifications/notification.server.ts';
import { cardJson } from '../../../src/notifications/teams.server.ts';
import type { Scene } from '../../support/call-row.ts';
import { cpuMilliseconds } from '../../support/cpu-time.ts';
import { everyCall, makeScene } from '../../support/every-call.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
let scene: Scene;
beforeAll(async () => {
  app = await startTestApp();
  scene = await makeScene(app);
});
afterAll(() => app.stop());

/** Memory is tidied now and then, step by step: what seems costly is looked at until it is over. */
const ROUNDS = { least: 3, most: 20 };
/** What a request may cost beyond a plain one; a busy machine makes the same work two or three times as dear. */
const MOST_MS = 20;

async function cost(ask: () => unknown): Promise<number> {
  const before = cpuMilliseconds();
  await ask();
  return cpuMilliseconds() - before;
}

/** By the cheapest time of each: in the others memory was tidied, or code compiled. */
async function expectCheap(what: string, plain: () => unknown, costly: () => unknown) {
  const least = { plain: Number.POSITIVE_INFINITY, costly: Number.POSITIVE_INFINITY };
  const extra = () => least.costly - least.plain;
  for (let round = 0; round < ROUNDS.most; round += 1) {
    least.costly = Math.min(least.costly, await cost(costly));
    least.plain = Math.min(least.plain, await cost(plain));
    if (round + 1 >= ROUNDS.least && extra() < MOST_MS) break;
  }
  expect(extra(), `${what}: ${extra().toFixed(1)} ms more than plain text`).toBeLessThan(MOST_MS);
}

/** Two kinds of marks in the wrong order: to sort them takes a step for each pair. */
const pile = (marks: number) => `a${'\u0301'.repeat(marks)}${'\u0316'.repeat(marks)}`;
const PILE = pile(15_900);
/** Short enough for the longest field to be looked at. */
const SMALL_PILE = pile(9_000);
/** As many marks as a letter may have, on as many letters as the longest field may hold before it is tidied. */
const PILES = `a${'\u0301'.repeat(15)}${'\u0316'.repeat(15)}`.repeat(600);

test('no field of any call', async () => {
  const colleague = await app.staff();
  for (const { name, call, row } of everyCall(app)) {
    const good = row.body?.(scene, 'owner');
    if (!good) continue;
    const { cookies } = call.access === 'staff' ? colleague : scene.owner;
    const texts = Object.keys(good).filter((field) => typeof good[field] === 'string');
    for (const field of [...texts, ...(row.optional ?? [])]) {
      const ask = (text: string) => async () => {
        const sender = Object.assign(app.visitor(), { cookies });
        const path = row.path?.(scene) ?? call.path;
        const { status } = await sender.post(path, { ...good, [field]: text });
        expect([name, field, status]).toEqual([name, field, 400]);
      };
      for (const text of [PILE, SMALL_PILE, PILES])
        await expectCheap(`${name} ${field}`, ask('a'.repeat(text.length)), ask(text));
    }
  }
});

test('no field of the form that is sent without script', async () => {
  for (const field of CONTACT_FIELDS) {
    const ask = (text: string) => async () => {
      const { status } = await app.visitor().send('/contact', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `${field}=${text}`,
      });
      expect(status).toBe(400);
    };
    await expectCheap(field, ask('a'.repeat(63_600)), ask(PILE));
  }
});

test('no address', async () => {
  const paths: [string, string][] = [
    ['/x', '/'],
    ['/', '/a'],
    ['/checkout/', '/'],
    ['/news/', '%2F'],
    ['/', '%ff'],
    ['/', 'a/../'],
    ['/api/', '/'],
    ['/api/orders/', '9'],
    ['/assets/', '../..'],
    ['/pictures/', 'a-'],
    ['/checkout?', 'plan=1&'],
    ['/checkout?plan=', '9'],
    ['/api/admin/contacts?find=', '%CC%81'],
  ];
  for (const [begin, repeated] of paths) {
    const path = begin + repeated.repeat(Math.floor(12_000 / repeated.length));
    const ask = (address: string) => () => app.visitor().get(`${address}a`);
    await expectCheap(path.slice(0, 30), ask(`/${'b'.repeat(path.length)}`), ask(path));
  }
});

test('no address that is longer than any of ours is looked for', async () => {
  for (const path of [`/news${'/'.repeat(400)}`, `/${'NEWS'.repeat(100)}`]) {
    expect((await app.visitor().get(path)).status).toBe(404);
  }
  const { status, headers } = await app.visitor().get('/NEWS//');
  expect([status, headers.get('location')]).toEqual([301, '/news']);
});

test('no header', async () => {
  const headers: [string, string][] = [
    ['Accept-Encoding', 'br;q=0.0 '],
    ['Accept-Encoding', 'br; '],
    ['If-None-Match', ' W/,'],
    ['Cookie', 'session=%; '],
    ['Content-Type', 'application/json ; '],
    ['X-Forwarded-For', '::ffff:1,'],
    ['X-Forwarded-For', '1.'],
    ['User-Agent', 'android mobil '],
    ['Referer', 'https://a@'],
    ['Referer', '/?a=%25'],
    ['Origin', 'http://'],
    ['Idempotency-Key', 'a '],
    ['Stripe-Signature', 't=1,v1=,'],
    ['Authorization', 'Bearer '],
  ];
  for (const [name, repeated] of headers) {
    const text = repeated.repeat(Math.floor(12_000 / repeated.length));
    const ask = (value: string) => async () => {
      await app.visitor().get('/', { [name]: value });
      await app.visitor().post('/api/create-payment-intent', {}, { [name]: value });
      await app.visitor().post('/api/stripe/webhook', {}, { [name]: value });
    };
    await expectCheap(`${name}: ${repeated}`, ask('b'.repeat(text.length)), ask(`${text}x`));
  }
});

test('no message that goes to Teams', async () => {
  const account: StaffMessage = {
    title: 'New message C-1',
    suspicious: false,
    warning: null,
    facts: [],
    text: null,
    lines: [],
    reply: null,
    staffUrl: app.address,
  };
  const card = (text: string) => () => cardJson({ ...account, text }, 'card');
  await expectCheap('spaces', card('x'.repeat(5_000)), card(`<${' '.repeat(4_998)}x`));
});
