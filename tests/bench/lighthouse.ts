/**
 * `npm run bench lighthouse [path …]`: Lighthouse's four mobile scores for the main pages, medians
 * of three runs. npx fetches Lighthouse, which the product does not need. On loopback it does not
 * rate HTTP/1.1 and the missing TLS.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../support/find-browser.ts';
import { startServer } from '../support/server-process.ts';
import { figure, median } from './measure.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';

interface LighthouseReport {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; numericValue?: number; title: string }>;
}

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
/** Kept out of search engines on purpose, which Lighthouse's SEO audit counts as a fault. */
const NOINDEX = ['/checkout'];

export async function benchLighthouse(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-lighthouse-'));
  const site = await startServer({ DATA_DIR: folder });
  const wanted = process.argv.slice(2).filter((word) => word.startsWith('/'));
  for (const path of wanted.length > 0 ? wanted : PAGES) await score(site.address, path);
  await site.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function score(address: string, path: string): Promise<void> {
  console.log(`\n${path}`);
  const reports: LighthouseReport[] = [];
  for (let run = 0; run < RUNS; run += 1) reports.push(await runLighthouse(address + path));
  const value = (audit: string) =>
    median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
  for (const category of CATEGORIES) {
    const scores = reports.map((report) => scoreOf(report, category, NOINDEX.includes(path)));
    figure(category, median(scores), { atLeast: 100 });
  }
  figure('cumulative layout shift', value('cumulative-layout-shift'), {
    atMost: 0,
  });
  console.log(`        LCP ${Math.round(value('largest-contentful-paint'))} ms`);
  figure('total blocking time, ms', value('total-blocking-time'), {
    atMost: path === '/' ? 80 : 50,
  });
  const [first] = reports;
  if (first) console.log(`        ${shortfalls(first).join('\n        ') || 'nothing to improve'}`);
  if (path !== '/') return;
  figure('transfer on a phone, KB', value('total-byte-weight') / 1000, {
    atMost: 250,
  });
}

/** The category's score; for hidden pages the weighted mean without the indexing audit. */
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

async function runLighthouse(url: string): Promise<LighthouseReport> {
  const folder = mkdtempSync(join(tmpdir(), 'site-lighthouse-'));
  const file = join(folder, 'report.json');
  const output = ['--quiet', '--output=json', `--output-path=${file}`];
  const chrome = '--chrome-flags=--headless=new --no-sandbox --disable-gpu';
  const child = spawn('npx', ['--yes', LIGHTHOUSE, url, ...output, chrome], {
    env: { ...process.env, ...(findBrowser() && { CHROME_PATH: findBrowser() }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`Lighthouse ended with ${code}`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
