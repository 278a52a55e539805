/**
 * `npm run bench lighthouse`: Lighthouse's four scores for the pages that count, on its slow phone, medians of three runs,
 * and what the home page's script costs its first picture. Paths behind it choose the pages.
 * Behind no TLS, as here, Lighthouse counts HTTP/1.1 and unencrypted loopback as neither good nor bad.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/server-process.ts';
import { askLighthouse, type LighthouseReport, values } from './lighthouse.ts';
import { figure, median } from './measure.ts';

const RUNS = 3;
const PAGES = [
  '/',
  '/checkout',
  '/news',
  '/news/ftc-safeguards-rule',
  '/privacy-policy',
  '/safeguards-check',
];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** Kept out of search engines on purpose, which this audit takes for a fault. */
const NOINDEX = ['/checkout'];

export async function benchLighthouse(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-lighthouse-'));
  const site = await startServer({ DATA_DIR: folder });
  const wanted = process.argv.slice(2).filter((word) => word.startsWith('/'));
  for (const path of wanted.length > 0 ? wanted : PAGES) await score(site.address, path);
  if (wanted.length === 0) await compareWithoutScript(site.address);
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function score(address: string, path: string): Promise<void> {
  console.log(`\n${path}`);
  const reports = await askLighthouse(address + path, RUNS);
  for (const category of CATEGORIES) {
    const scores = reports.map((report) => scoreOf(report, category, NOINDEX.includes(path)));
    figure(category, median(scores), { atLeast: 100 });
  }
  figure('cumulative layout shift', median(values(reports, 'cumulative-layout-shift')), {
    atMost: 0,
  });
  console.log(`        LCP ${Math.round(median(values(reports, 'largest-contentful-paint')))} ms`);
  figure('total blocking time, ms', median(values(reports, 'total-blocking-time')), {
    atMost: path === '/' ? 80 : 50,
  });
  const [first] = reports;
  if (first) console.log(`        ${shortfalls(first).join('\n        ') || 'nothing to mend'}`);
  if (path !== '/') return;
  figure('transfer on a phone, KB', median(values(reports, 'total-byte-weight')) / 1000, {
    atMost: 250,
  });
}

/** The category's weighted mean; without the audit of indexing where a page is meant to be kept out. */
function scoreOf(report: LighthouseReport, category: string, hidden: boolean): number {
  const { score, auditRefs = [] } = report.categories[category] ?? {};
  if (!hidden || category !== 'seo') return Math.round((score ?? 0) * 100);
  const counted = auditRefs.filter(
    ({ id }) => id !== 'is-crawlable' && report.audits[id]?.score != null,
  );
  const total = counted.reduce((sum, { weight }) => sum + weight, 0);
  const reached = counted.reduce(
    (sum, { id, weight }) => sum + weight * (report.audits[id]?.score ?? 0),
    0,
  );
  return Math.round((reached / total) * 100);
}

function shortfalls({ categories, audits }: LighthouseReport): string[] {
  const weighty = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0),
  );
  return weighty.flatMap(({ id }) => {
    const found = audits[id];
    return found?.score != null && found.score < 0.995
      ? [`${id}: ${Math.round(found.score * 100)} (${found.title})`]
      : [];
  });
}

async function compareWithoutScript(address: string): Promise<void> {
  console.log('\nThe home page with and without its script');
  const lcp = async (...flags: string[]) =>
    median(values(await askLighthouse(address, RUNS, flags), 'largest-contentful-paint'));
  const bare = await lcp('--blocked-url-patterns=*.js');
  figure('LCP, ratio to the page without script', (await lcp()) / bare, { atMost: 1.05 });
}
