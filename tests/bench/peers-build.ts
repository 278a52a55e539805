/** Gives the peers the product's own components, contents and pictures, then installs and builds them. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PEER_FOLDERS, PRODUCTION } from './peers.ts';

/** What keeps a state, listens, or is part of what does: Next.js must be told, to others it means nothing. */
export const CLIENT_COMPONENTS = [
  'catalogue/prices/plan-card.tsx',
  'catalogue/prices/planner-panel.tsx',
  'catalogue/service-card.tsx',
  'company/navbar.tsx',
  'company/open-now.tsx',
  'home/contact-section.tsx',
  'home/hero-carousel.tsx',
  'ui/failure-boundary.tsx',
  'ui/focus/use-focus-back.ts',
  'ui/section.tsx',
  'ui/theme-choice.tsx',
  'ui/toast/toaster.tsx',
];

/** `address` is where our own home page is served: what it tells its script is what the peers are built from. */
export async function buildPeers(address: string): Promise<void> {
  const html = await (await fetch(address)).text();
  const [, data = ''] = /id="page-data">(.*?)<\/script>/s.exec(html) ?? [];
  const { site, view } = JSON.parse(data);
  for (const folder of PEER_FOLDERS) {
    const made = join(folder, 'generated');
    rmSync(made, { recursive: true, force: true });
    cpSync('src', made, {
      recursive: true,
      filter: (file) => !/\.(server|test|browser)\.tsx?$/.test(file),
    });
    cpSync('bench/peers/page', made, { recursive: true });
    const own = join(folder, 'own');
    if (existsSync(own)) cpSync(own, made, { recursive: true });
    for (const file of CLIENT_COMPONENTS.map((each) => join(made, each)))
      writeFileSync(file, `'use client';\n${readFileSync(file, 'utf8')}`);
    writeFileSync(join(made, 'site.json'), JSON.stringify(site));
    writeFileSync(join(made, 'home.json'), JSON.stringify(view));
    cpSync('content/pictures', join(folder, 'public/pictures'), { recursive: true });
    install(folder);
    npm(folder, 'run', 'build');
  }
}

function install(folder: string): void {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const mark = join(folder, 'node_modules/.installed-lock');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  // Not `npm ci`, for the reason in scripts/with-set-up.mjs; the versions are the locked ones all the same.
  npm(folder, 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(mark, lock);
}

function npm(folder: string, ...words: string[]): void {
  console.log(`${folder}: npm ${words.join(' ')}`);
  const { status } = spawnSync('npm', [...words, '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...PRODUCTION },
  });
  if (status !== 0) throw new Error(`${folder}: npm ${words.join(' ')} ended with ${status}`);
}
