/** Start-up time, memory, and the size of the home page's scripts and styles. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { memoryMegabytes, SERVER, startProcess } from '../support/server-process.ts';
import { figure, median } from './measure.ts';
import { keepOffLoad, wrk } from './wrk.ts';

const STARTS = 5;

export async function benchHomePage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const variables = { PORT: '0', DATA_DIR: folder };
  const readyMs: number[] = [];
  // The first start creates the database and does not count.
  for (let start = 0; start <= STARTS; start += 1) {
    const started = await startProcess(SERVER, variables);
    if (start > 0) readyMs.push(started.readyMs);
    await started.stop();
  }
  figure('ready after the start of the process, ms', median(readyMs), { atMost: 500 });
  const site = await startProcess(SERVER, variables);
  keepOffLoad(site);
  wrk(site.address, 1);
  figure('memory after more than 10,000 requests, MB', memoryMegabytes(site.child), {
    atMost: 200,
  });
  await weigh(site.address);
  await site.stop();
  rmSync(folder, { recursive: true });
}

/** Weighs all that an untouched page loads. */
async function weigh(address: string): Promise<void> {
  const article = await named(`${address}/news/ftc-safeguards-rule`);
  figure('script of an article, KB', kilobytes(article.scripts), { atMost: 6 });
  const home = await named(address);
  figure('script of the home page, KB', kilobytes(home.scripts), { atMost: 110 });
  figure('files of script of the home page', home.scripts.length, { atMost: 10 });
  figure('styles of the home page, KB', kilobytes(home.styles), { atMost: 14 });
}

async function named(address: string) {
  const html = await (await fetch(address)).text();
  const tags = (kind: RegExp) => [...html.matchAll(kind)].map(([, href = '']) => href);
  // What comes for one view in ten and with the chat's panel is the last that the data names.
  const [untouched = ''] = html.split('"vitals":{"entry"');
  const scripts = [...untouched.matchAll(/"(\/assets\/[^"]+\.js)"/g)];
  return {
    scripts: [...new Set(scripts.map(([, href = '']) => href))],
    styles: tags(/href="(\/assets\/[^"]+\.css)"/g),
  };
}

/** Size after gzip. */
function kilobytes(files: readonly string[]): number {
  const bytes = files.map((file) => gzipSync(readFileSync(`dist/client${file}`), { level: 9 }));
  return bytes.reduce((sum, { length }) => sum + length, 0) / 1000;
}
