/** During a flood of the access log and on a full disk, pages are served and nothing acknowledged is lost. */
import { statSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { SAMPLE_ORDER } from '../support/call-row.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { smallDisk } from '../support/small-disk.ts';
import { signedIn, Visitor } from '../support/visitor.ts';

const LOG_MB = 4;
const DISK_MB = 128;
const SECONDS = 60;
/** Enough requests to fill the log twice: the longest possible line has 1,900 characters. */
const MIN_REQUESTS = (2 * LOG_MB * 1024 * 1024) / 1_900;
/** Room in the database file for everything but log lines. */
const REST_MB = 24;

test.runIf(inject('engine') === 'sqlite' && inject('size') === 'large')(
  'a site survives a flood, a full disk, a restart on the full disk, and gets well once there is space',
  async ({ skip }) => {
    const disk = smallDisk(DISK_MB);
    if (!disk) {
      console.log('SKIPPED: only root can mount the small disk that this fills');
      return skip('only root can mount a small disk');
    }
    const start = () => startServer({ DATA_DIR: disk.folder, LOG_MAX_MB: String(LOG_MB) });
    let server = await start();
    try {
      let { answered, unanswered } = await flood(server.address, SECONDS);
      while (answered < MIN_REQUESTS) {
        const more = await flood(server.address, SECONDS / 4);
        answered += more.answered;
        unanswered += more.unanswered;
      }
      const megabytes = statSync(join(disk.folder, 'site.sqlite')).size / 1024 / 1024;
      console.log(
        `flood: ${answered} requests, database ${megabytes.toFixed(1)} MB (log ${LOG_MB})`,
      );
      expect(unanswered).toBe(0);
      expect(megabytes).toBeLessThan(LOG_MB + REST_MB);
      const { analytics } = await logsOf(server);
      console.log(`counted: ${analytics.totalRequests}`);
      // Plus one for the sign-in.
      expect(analytics.totalRequests).toBe(answered + 1);

      const acknowledged: { orderId: number; visitor: Visitor }[] = [];
      const buy = async () => {
        const visitor = new Visitor(server.address);
        const { status, json } = await visitor.post('/api/create-payment-intent', SAMPLE_ORDER);
        if (status === 200) acknowledged.push({ orderId: json.orderId, visitor });
        return status;
      };
      const status = async (path: string) => (await fetch(server.address + path)).status;
      expect(await buy()).toBe(200);
      const makeRoom = disk.fill();
      await expect.poll(buy, { timeout: 60_000, interval: 10 }).toBe(503);
      await expect.poll(() => status('/readyz')).toBe(503);
      expect([await status('/'), await status('/checkout?plan=2')]).toEqual([200, 200]);
      await server.stop('SIGKILL');
      server = await start();
      expect([await status('/'), await status('/api/plans')]).toEqual([200, 200]);
      expect([await status('/readyz'), await buy()]).toEqual([503, 503]);
      makeRoom();
      const began = performance.now();
      await expect.poll(() => status('/readyz'), { timeout: 20_000, interval: 20 }).toBe(200);
      console.log(`ready ${Math.round(performance.now() - began)} ms after there was space`);
      expect(await buy()).toBe(200);
      const lost = [];
      for (const { orderId, visitor } of acknowledged) {
        const again = Object.assign(new Visitor(server.address), { cookies: visitor.cookies });
        if ((await again.get(`/api/orders/${orderId}`)).status !== 200) lost.push(orderId);
      }
      console.log(`${acknowledged.length} orders acknowledged, ${lost.length} lost`);
      expect(lost).toEqual([]);
    } finally {
      await server.stop();
      disk.remove();
    }
  },
);

async function logsOf(server: RunningProcess) {
  const staff = await signedIn(server.address);
  return (await staff.get('/api/admin/logs/analytics')).json;
}

const CONNECTIONS = 20;

/** Sends requests as fast as they are answered, each with different texts of the greatest length that the log keeps. */
async function flood(address: string, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const flooded = { answered: 0, unanswered: 0 };
  const end = performance.now() + seconds * 1000;
  const text = (number: number) => `${number}`.padEnd(4_000, 'x');
  let number = 0;
  async function ask(): Promise<void> {
    while (performance.now() < end) {
      number += 1;
      const headers = {
        Referer: `https://${number}.example/${text(number)}`,
        'User-Agent': text(number),
      };
      const url = `${address}/?q=${text(number)}`;
      await new Promise<void>((resolve) => {
        get(url, { agent, headers }, (response) => {
          response.resume().on('end', () => {
            flooded.answered += 1;
            resolve();
          });
        }).on('error', () => {
          flooded.unanswered += 1;
          resolve();
        });
      });
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  agent.destroy();
  return flooded;
}
