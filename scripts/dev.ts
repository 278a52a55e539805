/** `npm run dev`: runs the site from its sources; a change restarts it and reloads the browser. */
import { createServer as createHttpServer } from 'node:http';
import { resolve } from 'node:path';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createServer as createVite, type ViteDevServer } from 'vite';
import { type Env, readEnv } from '../src/env.server.ts';
import { stylesOf } from '../src/platform/http/assets.server.ts';
import { runCommand } from './command.ts';

await runCommand(async () => serve(readEnv(process.env)));

async function serve(env: Env): Promise<void> {
  const address = `http://${env.host}:${env.port}`;
  const http = createHttpServer();
  const vite = await createVite({
    appType: 'custom',
    server: { middlewareMode: { server: http } },
  });
  let site = await startSite(vite, env, address);

  const listener = getRequestListener(
    async (request, bindings) =>
      withReload(await site.app.fetch(plain(request), bindings as HttpBindings)),
    { overrideGlobalObjects: false },
  );
  http.on('request', (request, response) =>
    vite.middlewares(request, response, () => listener(request, response)),
  );
  http.listen(env.port, env.host, () =>
    console.log(`Ready on ${address} (reloads with each change)`),
  );

  async function restart(): Promise<void> {
    await site.close();
    site = await startSite(vite, env, address);
    vite.ws.send({ type: 'full-reload' });
  }
  let pending: ReturnType<typeof setTimeout> | undefined;
  vite.watcher.add(env.contentDir).on('all', (_event, file) => {
    if (!/\/src\//.test(file) && !file.startsWith(resolve(env.contentDir))) return;
    clearTimeout(pending);
    pending = setTimeout(
      () => restart().catch((error) => vite.config.logger.error(String(error))),
      100,
    );
  });
}

/** Loads the modules through Vite each time, so that changes take effect. */
async function startSite(from: ViteDevServer, env: Env, address: string) {
  const { createSite } = await from.ssrLoadModule('/src/app.server.ts');
  const { readContent } = await from.ssrLoadModule('/src/content.server.ts');
  const { openDatabase } = await from.ssrLoadModule('/src/platform/database/database.server.ts');
  return createSite({
    metrics: null,
    env,
    content: readContent(env.contentDir, env.keepMessagesDays),
    database: await openDatabase(env),
    publicUrl: env.publicUrl ?? address,
    assets: {
      entry: (source: string) => ({
        theme: { src: '/src/theme.browser.ts' },
        script: { src: `/${source}` },
        modules: [],
        styles: [{ href: `/${stylesOf(source)}` }],
        fonts: [],
      }),
      files: new Map(),
    },
  });
}

/** Asks for an uncompressed answer, which `withReload` can extend. */
function plain(request: Request): Request {
  const { url, method, body } = request;
  const headers = new Headers(request.headers);
  headers.delete('accept-encoding');
  headers.delete('if-none-match');
  return new Request(url, { method, headers, ...(body ? { body, duplex: 'half' } : {}) });
}

/** Adds Vite's client, which reloads the page. It would violate the content policy. */
async function withReload(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = await response.text();
  const headers = new Headers(response.headers);
  for (const name of ['content-security-policy', 'content-length', 'etag']) headers.delete(name);
  const client = '<script type="module" src="/@vite/client"></script></head>';
  return new Response(html.replace('</head>', client), { status: response.status, headers });
}
