/**
 * `node tests/bench/peers.ts`: this site's home page beside the same page by other frameworks, for
 * docs/speed.md. They are installed in their newest versions into a temporary folder, and built
 * from this site's components and data. `node tests/bench/peers.ts /tmp/peers-… Next React`
 * measures what an earlier run has built, those with these names.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { build, createServer as createViteServer } from 'vite';
import { FLAGS } from '../support/browser-flags.ts';
import { findTestBrowser } from '../support/find-browser.ts';
import { pageDataIn } from '../support/page-html.ts';
import { memoryMegabytes, SERVER, startProcess } from '../support/server-process.ts';
import { tied } from '../support/tied.ts';
import { median } from './measure.ts';
import { slowDown } from './slow-phone.ts';
import { watchLoading } from './watch-loading.ts';
import { keepOffLoad, wrk } from './wrk.ts';

const STARTS = 3;
const ROUNDS = 3;
const SECONDS = 1;
const VISITS = 3;
/** An untouched page. */
const VISIT_MS = 8_000;

interface Peer {
  name: string;
  folder: string;
  args: string[];
  path?: string;
  variables?: Record<string, string>;
}

const [built, ...names] = process.argv.slice(2);
const folder = built ?? mkdtempSync(join(tmpdir(), 'peers-'));
const REACT = ['react@19', 'react-dom@19'];
/** In the newest version that the registry has of all four. */
const ROUTER = ['react-router', '@react-router/node', '@react-router/serve', '@react-router/dev'];

/** What each needs besides the page: its packages, its files, and its build. */
const FRAMEWORKS = {
  next: {
    packages: ['next@latest', ...REACT],
    files: {
      'app/layout.jsx': `import '../page/page.css';
        import data from '../data.json';
        export const metadata = { title: data.view.title, description: data.view.description };
        export default ({ children }) => <html lang="en"><body>{children}</body></html>;`,
      'app/page.jsx': `import { Page } from '../page/page.js';
        import data from '../data.json';
        export default () => <Page {...data} />;`,
      'app/per-request/page.jsx': `import Page from '../page.jsx';
        export const dynamic = 'force-dynamic';
        export default Page;`,
      'app/api/[name]/route.js': `import answers from '../../../answers.json';
        const answer = async (_, { params }) => Response.json(answers[(await params).name]);
        export { answer as GET, answer as POST };`,
      'next.config.mjs': 'export default { turbopack: { root: import.meta.dirname } };',
    },
    builds: [['node_modules/next/dist/bin/next', 'build']],
  },
  'react-router': {
    packages: [...ROUTER.map((name) => `${name}@8.4.0`), ...['vite@8', 'isbot@5', ...REACT]],
    files: {
      'app/root.jsx': `import { Links, Meta, Outlet, Scripts } from 'react-router';
        import styles from '../page/page.css?url';
        export const links = () => [{ rel: 'stylesheet', href: styles }];
        export default () => (
          <html lang="en">
            <head><meta charSet="utf-8" /><meta name="viewport" content="width=device-width" /><Meta /><Links /></head>
            <body><Outlet /><Scripts /></body>
          </html>
        );`,
      'app/routes.js': `import { index, route } from '@react-router/dev/routes';
        export default [index('./home.jsx'), route('api/:name', './api.js')];`,
      'app/home.jsx': `import data from '../data.json';
        import { Page } from '../page/page.js';
        export const loader = () => data;
        export const meta = ({ loaderData: { view } }) => [{ title: view.title }];
        export default ({ loaderData }) => <Page {...loaderData} />;`,
      'app/api.js': `import answers from '../answers.json';
        const answer = ({ params }) => Response.json(answers[params.name]);
        export { answer as action, answer as loader };`,
      'react-router.config.js': `const ahead = process.argv.includes('prerendered');
        export default ahead ? { prerender: ['/'], buildDirectory: 'prerendered' } : {};`,
      'vite.config.js': `import { reactRouter } from '@react-router/dev/vite';
        export default { plugins: [reactRouter()] };`,
    },
    builds: [
      ['node_modules/@react-router/dev/bin.cjs', 'build'],
      ['node_modules/@react-router/dev/bin.cjs', 'build', '--mode', 'prerendered'],
    ],
  },
  astro: {
    packages: ['astro@latest', '@astrojs/node@latest', '@astrojs/react@latest', ...REACT],
    files: {
      'src/pages/index.astro': `---
import { Page } from '../../page/page.js';
import data from '../../data.json';
import '../../page/page.css';
---
<html lang="en">
  <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>{data.view.title}</title></head>
  <body><Page client:load {...data} /></body>
</html>`,
      'src/pages/api/[name].js': `import answers from '../../../answers.json';
        export const prerender = false;
        export const ALL = ({ params }) => Response.json(answers[params.name]);`,
      'astro.config.mjs': `import node from '@astrojs/node';
        import react from '@astrojs/react';
        export default { integrations: [react()], adapter: node({ mode: 'standalone' }) };`,
    },
    builds: [['node_modules/astro/bin/astro.mjs', 'build']],
  },
};

const site: Peer = {
  name: 'this site',
  folder: resolve('.'),
  args: [SERVER],
  variables: { DATA_DIR: join(folder, 'data') },
};
const at = (name: keyof typeof FRAMEWORKS) => join(folder, name);
const next = {
  folder: at('next'),
  args: ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1'],
};
const serve = 'node_modules/@react-router/serve/bin.cjs';
const PEERS: readonly Peer[] = [
  site,
  { ...next, name: 'Next.js, prerendered' },
  { ...next, name: 'Next.js, per request', path: '/per-request' },
  {
    name: 'React Router, prerendered',
    folder: at('react-router'),
    args: [serve, './prerendered/server/index.js'],
  },
  {
    name: 'React Router, per request',
    folder: at('react-router'),
    args: [serve, './build/server/index.js'],
  },
  { name: 'Astro, prerendered', folder: at('astro'), args: ['dist/server/entry.mjs'] },
];

/** The page as a module: its components with all that they import but React. */
async function buildPage(): Promise<void> {
  const query = fileURLToPath(import.meta.resolve('@tanstack/react-query'));
  const entry = join(folder, 'page.tsx');
  writeFileSync(
    entry,
    `import { QueryClientProvider } from '${query}';
    import { Footer } from '${resolve('src/company/footer.tsx')}';
    import { Navbar } from '${resolve('src/company/navbar.tsx')}';
    import HomePage from '${resolve('src/home/home-page.tsx')}';
    import { newQueryClient } from '${resolve('src/platform/browser/query-client.ts')}';
    import { SiteProvider } from '${resolve('src/platform/site.ts')}';
    import { PageFrame } from '${resolve('src/web/page-frame.tsx')}';
    const client = newQueryClient();
    export const Page = ({ site, view }) => (
      <SiteProvider value={site}>
        <QueryClientProvider client={client}>
          <PageFrame navbar={<Navbar />} footer={<Footer />}>
            <HomePage content={view.content} />
          </PageFrame>
        </QueryClientProvider>
      </SiteProvider>
    );`,
  );
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    // To a peer the page is one component, so its islands are rendered in place.
    plugins: [
      {
        name: 'no-islands',
        load: (id) =>
          id.endsWith('/ui/island.tsx')
            ? 'export const Island = ({ children }) => children;'
            : undefined,
      },
    ],
    build: {
      outDir: join(folder, 'page'),
      minify: false,
      lib: { entry, formats: ['es'], fileName: 'page' },
      rolldownOptions: { external: /^react/, output: { banner: "'use client';" } },
    },
  });
  const [font = ''] = globSync('dist/client/assets/geist-*.woff2');
  cpSync(font, join(folder, 'page/geist.woff2'));
  const [styles = ''] = globSync('dist/client/assets/site-*.css');
  const css = readFileSync(styles, 'utf8').replace(/url\([^)]*\.woff2"?\)/, 'url(./geist.woff2)');
  writeFileSync(join(folder, 'page/page.css'), css);
}

/** What the home page's components take. */
async function homeData(html: string): Promise<string> {
  const { site, islands } = pageDataIn(html);
  const propsOf = (name: string) =>
    islands.find((island: { name: string }) => island.name === name).props;
  const { plans, prices: addOns } = propsOf('Planner');
  const lists = { services: propsOf('Services').rows, solutions: propsOf('Solutions').rows, plans };
  const vite = await createViteServer({ appType: 'custom', server: { middlewareMode: true } });
  const { readContent } = await vite.ssrLoadModule('/src/content.server.ts');
  const { sitePages } = await vite.ssrLoadModule('/src/web/site-pages.server.ts');
  const view = sitePages(readContent('content'), lists, addOns).get('/');
  await vite.close();
  return JSON.stringify({ site, view });
}

async function buildPeers(): Promise<void> {
  // First: the development server of `homeData` would have React's own build for development.
  await buildPage();
  const own = await startProcess(SERVER, { PORT: '0', DATA_DIR: join(folder, 'data') });
  const html = await (await fetch(own.address)).text();
  const data = await homeData(html);
  const answers: Record<string, unknown> = { 'update-plans': { success: true, updated: 0 } };
  for (const name of ['services', 'solutions', 'plans'])
    answers[name] = await (await fetch(`${own.address}/api/${name}`)).json();
  await own.stop();
  for (const [name, { packages, files, builds }] of Object.entries(FRAMEWORKS)) {
    const peer = join(folder, name);
    const all = {
      ...files,
      'package.json': '{ "type": "module", "private": true }',
      'data.json': data,
      'answers.json': JSON.stringify(answers),
    };
    for (const [file, text] of Object.entries(all)) {
      mkdirSync(dirname(join(peer, file)), { recursive: true });
      writeFileSync(join(peer, file), text);
    }
    cpSync(join(folder, 'page'), join(peer, 'page'), { recursive: true });
    cpSync('content/pictures', join(peer, 'public/pictures'), { recursive: true });
    run(peer, 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages]);
    for (const args of builds) run(peer, process.execPath, args);
    const { dependencies } = JSON.parse(readFileSync(join(peer, 'package.json'), 'utf8'));
    console.log(`- ${name}: ${JSON.stringify(dependencies)}`);
  }
}

const PRODUCTION = {
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
};

function run(cwd: string, program: string, args: readonly string[]): void {
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  execFileSync(program, args, { cwd, stdio: [...stdio], env: { ...process.env, ...PRODUCTION } });
}

/** `readyMs`: until the end of the first good answer. */
async function start({ folder, args, path = '/', variables }: Peer) {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}${path}`;
  const began = performance.now();
  const child = spawn(...tied(process.execPath, args), {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ...PRODUCTION,
      PORT: `${port}`,
      HOST: '127.0.0.1',
      ...variables,
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const answers = async () => Boolean(await (await fetch(address)).text());
  while (!(await answers().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${folder} ended with ${child.exitCode}`);
    await new Promise((again) => setTimeout(again, 5));
  }
  const readyMs = performance.now() - began;
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { child, address, readyMs, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** An untouched page on a slow phone: its paints, and its script after gzip. */
async function visit(browser: Browser, address: string) {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await slowDown(page);
  await page.addInitScript(watchLoading, []);
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForTimeout(VISIT_MS);
  const { largestPaint, blocking } = await page.evaluate(() => window.loading);
  const scripts = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  );
  await context.close();
  let bytes = 0;
  for (const url of new Set(scripts.filter((name) => /\.m?js(\?|$)/.test(name))))
    bytes += gzipSync(await (await fetch(url)).bytes(), { level: 9 }).length;
  return { largestPaint, blocking, kilobytes: bytes / 1000 };
}

async function measure(browser: Browser, peer: Peer): Promise<string[]> {
  const starts: number[] = [];
  for (let each = 0; each < STARTS; each += 1) {
    const started = await start(peer);
    starts.push(started.readyMs);
    await started.stop();
  }
  const running = await start(peer);
  const visits: Awaited<ReturnType<typeof visit>>[] = [];
  // Rendered ahead or per request, a page is the same to a browser.
  const isOther = peer.name.endsWith('per request');
  for (let each = 0; each < VISITS && !isOther; each += 1)
    visits.push(await visit(browser, running.address));
  keepOffLoad(running);
  const rates = ['identity', 'gzip', 'br'].map((encoding) => {
    const rounds = Array.from({ length: ROUNDS + 1 }, () =>
      wrk(running.address, SECONDS, encoding),
    );
    // The first round is a warm-up.
    return median(rounds.slice(1).map(({ perSecond }) => perSecond));
  });
  const memory = memoryMegabytes(running.child);
  await running.stop();
  const of = (key: keyof (typeof visits)[number]) => median(visits.map((each) => each[key]));
  const figures = [...rates, median(starts), memory, of('largestPaint'), of('blocking')];
  const shown = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(0));
  return [...figures, of('kilobytes')].map(shown);
}

const WHAT = [
  'answers a second, identity',
  'answers a second, gzip',
  'answers a second, br',
  'ready, ms',
  'memory after the load test, MB',
  'LCP, ms',
  'blocked after the first paint, ms',
  'script, page untouched, KB',
];

if (!built) await buildPeers();
console.log(`${folder} has the peers`);
const measured = PEERS.filter(
  ({ name }) => names.length === 0 || names.some((word) => name.startsWith(word)),
);
const executablePath = findTestBrowser();
const browser = await chromium.launch({ args: FLAGS, ...(executablePath && { executablePath }) });
const columns: string[][] = [];
for (const peer of measured) {
  columns.push(await measure(browser, peer));
  console.log(`${peer.name}: ${columns.at(-1)?.join(', ')}`);
}
await browser.close();
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
console.log(row(['', ...measured.map(({ name }) => name)]));
console.log(row(['---', ...measured.map(() => '---:')]));
for (const [at, what] of WHAT.entries())
  console.log(row([what, ...columns.map((column) => column[at] ?? '')]));
