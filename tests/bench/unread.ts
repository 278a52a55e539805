/** Every answer at its largest, asked for by 2,000 readers that do not read: memory, and how long others wait. */
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { MAX_CHAT_MESSAGE, MAX_CONTACT_MESSAGE } from '../../src/limits.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { CALL_ROWS } from '../support/call-rows.ts';
import { memoryMegabytes, startServer } from '../support/server-process.ts';
import { connectMany } from '../support/slow-clients.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { figure, median, timed } from './measure.ts';

const READERS = 2_000;
const MAX_MB = 400;
const MAX_MS = 10;

export async function benchUnread(): Promise<void> {
  const dataDir = temporaryFolder();
  const site = await startServer({ DATA_DIR: dataDir });
  const chatting = new Visitor(site.address);
  await chatting.post('/api/teams-chat', { message: 'Anybody there?' });
  await fill(dataDir);
  const staff = await signedIn(site.address);
  const cookies = [...staff.cookies, ...chatting.cookies].map((pair) => pair.join('=')).join('; ');
  const other = new Visitor(site.address);
  for (const name of Object.keys(CALL_ROWS)) {
    const [method, path = ''] = name.split(' ');
    if (method !== 'GET') continue;
    const asked = path.replace(/:\w+/, '1');
    let reader = 0;
    const sockets: Socket[] = await connectMany(site.address, READERS, (socket) => {
      reader += 1;
      const from = `X-Forwarded-For: 10.9.${reader >> 8}.${reader & 255}\r\nCookie: ${cookies}`;
      socket.pause().write(`GET ${asked} HTTP/1.1\r\nHost: 127.0.0.1\r\n${from}\r\n\r\n`);
    });
    await setTimeout(2_000);
    const waits: number[] = [];
    for (let visit = 0; visit < 20; visit += 1)
      waits.push(await timed(() => other.move().get('/api/payment-config')));
    figure(`${name}: memory, MB`, memoryMegabytes(site.child), { atMost: MAX_MB });
    figure(`${name}: another call meanwhile, ms`, median(waits), { atMost: MAX_MS });
    for (const socket of sockets) socket.destroy();
  }
  await site.stop();
}

/** As much as staff's lists and one conversation can show. */
async function fill(dataDir: string): Promise<void> {
  const { db, close } = await openDatabase(
    { databaseUrl: null, dataDir },
    { alongsideServer: true },
  );
  const at = Date.now();
  const ids = Array.from({ length: 1_000 }, (_, index) => 1_000 + index);
  const thread = {
    kind: 'contact',
    mark: 'new',
    createdAt: at,
    lastAt: at,
    waitsSince: at,
    changedAt: at,
  } as const;
  await db
    .insertInto('threads')
    .values(ids.map((id) => ({ id, ...thread })))
    .execute();
  const text = '“'.repeat(MAX_CONTACT_MESSAGE);
  await db
    .insertInto('entries')
    .values(ids.map((threadId) => ({ threadId, kind: 'visitor', text, at }) as const))
    .execute();
  const message = { threadId: 1, kind: 'visitor', text: '“'.repeat(MAX_CHAT_MESSAGE), at } as const;
  await db
    .insertInto('entries')
    .values(ids.slice(0, 490).map(() => message))
    .execute();
  const request = { ip: '192.0.2.1', method: 'GET', status: 404, durationUs: 1, bytes: 1 };
  const texts = {
    url: `/${'x'.repeat(999)}`,
    referrer: 'y'.repeat(500),
    userAgent: 'z'.repeat(400),
  };
  for (let batch = 0; batch < 5; batch += 1)
    await db
      .insertInto('accessLog')
      .values(ids.map((visitor) => ({ ...request, ...texts, at, visitor, size: 2_000 })))
      .execute();
  await close();
}
