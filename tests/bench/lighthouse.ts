/** Lighthouse, fetched by npx, for the product needs it not. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../support/find-browser.ts';

export const LIGHTHOUSE = 'lighthouse@13.5.0';

export interface LighthouseReport {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; numericValue?: number; title: string }>;
}

/** Gives as many reports as are wanted; when a trace came broken out of Chromium, Lighthouse asks to be run again. */
export async function askLighthouse(
  url: string,
  runs: number,
  flags: readonly string[] = [],
  chromeFlags = '',
): Promise<LighthouseReport[]> {
  const reports: LighthouseReport[] = [];
  const once = () => runLighthouse(url, flags, chromeFlags);
  for (let run = 0; run < runs; run += 1) reports.push(await once().catch(once));
  return reports;
}

export function values(reports: readonly LighthouseReport[], audit: string): number[] {
  return reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN);
}

async function runLighthouse(
  url: string,
  flags: readonly string[],
  chromeFlags: string,
): Promise<LighthouseReport> {
  const folder = mkdtempSync(join(tmpdir(), 'site-lighthouse-'));
  const file = join(folder, 'report.json');
  const child = spawn(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--chrome-flags=--headless=new --no-sandbox --disable-gpu ${chromeFlags}`,
      ...flags,
    ],
    {
      env: { ...process.env, ...(findBrowser() && { CHROME_PATH: findBrowser() }) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`Lighthouse ended with ${code}`)),
      );
    });
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
