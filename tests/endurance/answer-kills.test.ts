/**
 * Servers are killed while staff answer. Every answer that was accepted is in its thread, once, however often the browser
 * repeated it, and reaches the visitor.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import type { Db } from '../../src/platform/database/tables.server.ts';
import { eventually } from '../support/eventually.ts';
import { Mailbox } from '../support/mailbox.ts';
import { startServer } from '../support/server-process.ts';
import { sized } from '../support/sized.ts';
import { databaseForEachTest } from '../support/test-app.ts';
import { signedIn, Visitor } from '../support/visitor.ts';

const KILLS = sized(2, 200);
const WRITERS = 4;
const THREADS = 5;

const testDb = databaseForEachTest();

interface Answer {
  thread: number;
  key: string;
  text: string;
}

test('kill -9 while staff answer loses no accepted answer, stores none twice, and delivers each', async () => {
  const mailbox = await Mailbox.start();
  const variables = { ...testDb.variables, ...mailbox.variables };
  let server = await startServer(variables);
  const { cookies } = await signedIn(server.address);
  const threads: number[] = [];
  for (let place = 0; place < THREADS; place += 1) {
    const who = { name: 'Ann', email: `ann-${place}@lakeside.example` };
    const body = { ...who, message: 'Can you look at this?' };
    const { json } = await new Visitor(server.address).post('/api/contact', body);
    threads.push(json.contact.id);
  }

  let written = 0;
  /** True once the server has accepted it. */
  async function send({ thread, key, text }: Answer): Promise<boolean> {
    const staff = new Visitor(server.address);
    for (const [name, value] of cookies) staff.cookies.set(name, value);
    const body = { kind: 'staff', text, after: 2 ** 31 - 1, key };
    const path = `/api/admin/threads/${thread}/entries`;
    const answered = await staff.post(path, body).catch(() => undefined);
    if (answered && answered.status !== 200) expect(answered.status).toBe(503);
    return answered?.status === 200;
  }
  const accepted: Answer[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    let killed = false;
    const unanswered: Answer[] = [];
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!killed) {
        written += 1;
        const thread = threads[written % THREADS] ?? 0;
        const answer = { thread, key: randomUUID(), text: `Answer number ${written}.` };
        if (await send(answer)) accepted.push(answer);
        else unanswered.push(answer);
      }
    });
    await pause(100 + ((kill * 37) % 300));
    await server.stop('SIGKILL');
    killed = true;
    await Promise.all(writers);
    server = await startServer(variables);
    // The browser does not know whether it was stored.
    for (const answer of unanswered) {
      expect(await send(answer)).toBe(true);
      accepted.push(answer);
    }
  }

  const { db, close } = await openDatabase(readEnv(testDb.variables), { alongsideServer: true });
  expect(await storedAnswers(db)).toEqual(accepted.map(({ text }) => text).sort());
  await eventually(async () => expect(await waitingDeliveries(db)).toEqual([]));
  await close();
  const mailed = mailbox.mails.flatMap(({ text = '' }) => /Answer number \d+\./.exec(text) ?? []);
  const toVisitors = new Set(mailed);
  expect(accepted.filter(({ text }) => !toVisitors.has(text))).toEqual([]);
  await server.stop();
  await mailbox.stop();
}, 3_600_000);

async function storedAnswers(db: Db): Promise<string[]> {
  const rows = db.selectFrom('entries').select('text').where('kind', '=', 'staff');
  return (await rows.execute()).map(({ text }) => text).sort();
}

function waitingDeliveries(db: Db) {
  return db
    .selectFrom('outbox')
    .select(['id', 'channel'])
    .where('state', '!=', 'accepted')
    .execute();
}
