/** Built assets, named by their content, and the pictures of the content folder: read once at start, sent from memory. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { type BuiltAssets, contentType } from '../assets/assets.server.ts';
import { FinishedAnswer, finishedText } from './finished-answer.server.ts';
import type { HeaderSets } from './headers.server.ts';

interface Deps {
  assets: BuiltAssets;
  /** A folder. */
  pictures: string;
  headers: HeaderSets;
}

export function siteFiles({ assets, pictures, headers }: Deps) {
  const files = new Map<string, FinishedAnswer>();
  for (const [path, { type, bodies }] of assets.files) {
    const varies = bodies.br && { Vary: 'Accept-Encoding' };
    const own = { ...headers.asset, 'Content-Type': type, ...varies };
    files.set(path, new FinishedAnswer({ headers: own, bodies }));
  }
  const named = readPictures(pictures, headers);

  function routes(app: Hono<{ Bindings: HttpBindings }>): void {
    const send = (found: FinishedAnswer | undefined, { headers: asked }: Request) =>
      found?.response(asked) ??
      new Response('Not found', {
        status: 404,
        headers: { ...headers.api, 'Content-Type': 'text/plain' },
      });
    app.get('/assets/*', ({ req }) => send(files.get(req.path), req.raw));
    app.get('/favicon.ico', ({ req }) => send(named.get('favicon.ico')?.changing, req.raw));
    app.get('/pictures/:name', ({ req }) => {
      const found = named.get(req.param('name'));
      return send(req.query('v') ? found?.versioned : found?.changing, req.raw);
    });
  }

  return { find: (path: string) => files.get(path), routes };
}

/** By name. `versioned`: at an address that names its version, where it never changes. */
function readPictures(folder: string, headers: HeaderSets) {
  const found = new Map<string, Record<'versioned' | 'changing', FinishedAnswer>>();
  for (const name of readdirSync(folder)) {
    const type = contentType(name);
    if (!type) continue;
    const identity = readFileSync(join(folder, name));
    const answer = (kind: Record<string, string>) => {
      const own = { ...kind, 'Content-Type': type };
      return type === 'image/svg+xml'
        ? finishedText(identity.toString(), own)
        : new FinishedAnswer({ headers: own, bodies: { identity } });
    };
    found.set(name, { versioned: answer(headers.asset), changing: answer(headers.picture) });
  }
  return found;
}
