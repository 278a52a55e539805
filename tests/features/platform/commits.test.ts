/** A stranger makes others wait for the disk as little as can be. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test, vi } from 'vitest';
import { SQLITE_FILE } from '../../../src/platform/database/sqlite.server.ts';
import { CALLERS, SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { eventually } from '../../support/eventually.ts';
import { ask, everyCall, makeScene } from '../../support/every-call.ts';
import { linkOf } from '../../support/own-page.ts';
import { OWN_PASSWORD, ownTestApp, testDatabase } from '../../support/test-app.ts';
import type { Answered } from '../../support/visitor.ts';

/** The order is saved before the provider is called, the test gateway's payment, and its id. */
const MORE: Record<string, number> = { 'POST /api/create-payment-intent': 3 };

async function quietSite() {
  const { variables } = await testDatabase({ filled: true });
  // What is gathered, and what the site does by itself, is left out.
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  const app = await ownTestApp({ ...OWN_PASSWORD, ...variables });
  await eventually(() => expect(app.site.isStarted()).toBe(true));
  // Makes the keys that are made once.
  await app.staff();
  // A counter of transactions: https://sqlite.org/walformat.html, section 2.1.
  const index = join(variables.DATA_DIR ?? '', `${SQLITE_FILE}-shm`);
  const committed = () => readFileSync(index).readUInt32LE(8);
  return {
    app,
    scene: await makeScene(app),
    async send(act: () => Promise<Answered>) {
      const before = committed();
      const { status } = await act();
      return { status, commits: committed() - before };
    },
  };
}

describe.runIf(inject('engine') === 'sqlite')('what a stranger sends', () => {
  test('is written at once, or not at all where it is refused', async () => {
    const { app, scene, send } = await quietSite();
    const tooMany: unknown[] = [];
    for (const known of everyCall(app))
      for (const caller of CALLERS.filter((each) => each !== 'staff')) {
        const by = caller === 'owner' ? scene.owner : app.visitor();
        const { status, commits } = await send(() => ask(by, known, scene, caller));
        const most = status < 400 ? (MORE[known.name] ?? 1) : 0;
        if (commits > most) tooMany.push([known.name, caller, status, commits]);
      }
    expect(tooMany).toEqual([]);
  });

  test('is not written where it is foreign, too large, too often or a guess', async () => {
    const { app, scene, send } = await quietSite();
    const visitor = app.visitor();
    const write = (change = {}, headers = {}) =>
      visitor.post('/api/contact', { ...SAMPLE_MESSAGE, ...change }, headers);
    const guess = () =>
      visitor.post('/api/admin/login', { username: 'admin', password: 'a guess' });
    const chat = (message: string) =>
      scene.owner.post('/api/teams-chat', { message }, { 'Idempotency-Key': 'one' });
    const { token } = await linkOf(app, scene.orderId);
    const details = { token, name: 'Jane Doe', company: null, phone: null, billingAddress: null };
    const correct = () =>
      scene.owner.post('/api/order-page/details', { ...details, billsTo: null, version: 0 });
    for (let times = 0; times < 10; times += 1) await guess();
    await chat('Once');
    const refused: [number, () => Promise<Answered>][] = [
      [403, () => write({}, { Origin: 'https://evil.example' })],
      [415, () => write({}, { 'Content-Type': 'text/plain' })],
      [413, () => write({ message: 'x'.repeat(70_000) })],
      [400, () => write({ message: '' })],
      [400, () => write({ email: 'jane' })],
      [400, () => write({ service: 'none' })],
      [429, () => write()],
      [429, guess],
      [409, () => chat('Another')],
      [409, correct],
      [409, () => visitor.post('/api/order-page/open', { token, access: 'guessed' })],
      [409, () => visitor.post('/api/order-page/cancel', { token })],
    ];
    for (const [status, act] of refused)
      expect([`${act}`, await send(act)]).toEqual([`${act}`, { status, commits: 0 }]);
  });
});
