/** The home page: start, memory, and what a browser must load. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { memoryMegabytes, SERVER, startProcess } from '../support/server-process.ts';
import { figure } from './measure.ts';
import { keepOffLoad, wrk } from './wrk.ts';

export async function benchHomePage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const variables = { PORT: '0', DATA_DIR: folder };
  await (await startProcess(SERVER, variables)).stop();
  const site = await startProcess(SERVER, variables);
  figure('ready after the start of the process, ms', site.readyMs, { atMost: 1000 });
  keepOffLoad(site);
  wrk(site.address, 10);
  figure('memory after more than 10,000 requests, MB', memoryMegabytes(site.child), {
    atMost: 130,
  });
  await weigh(site.address);
  await site.stop();
  rmSync(folder, { recursive: true });
}

/** Everything the page's HTML names is loaded before a click; so is what those scripts import at once. */
async function weigh(address: string): Promise<void> {
  const html = await (await fetch(address)).text();
  const named = new Set(
    [...html.matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name = '']) => name),
  );
  const kilobytes = (kind: string) =>
    [...named]
      .filter((name) => name.endsWith(kind))
      .reduce(
        (sum, name) => sum + gzipSync(readFileSync(`dist/client/${name}`), { level: 9 }).length,
        0,
      ) / 1000;
  figure('script of the home page, gzip, KB', kilobytes('.js'), { atMost: 95 });
  figure('styles of the home page, gzip, KB', kilobytes('.css'), { atMost: 12 });
}
