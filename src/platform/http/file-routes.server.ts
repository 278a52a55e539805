/** Built assets, named by their content, and the pictures of the content folder. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { BuiltAssets } from '../assets/assets.server.ts';
import { contentType, finishedAsset } from '../assets/built-file.server.ts';
import { sharing } from '../sharing.server.ts';
import { type FinishedAnswer, finishedText } from './finished/finished-answer.server.ts';
import { FinishedCache } from './finished/finished-cache.server.ts';
import type { HeaderSets } from './headers/headers.server.ts';

interface Deps {
  assets: BuiltAssets;
  pictures: string;
  headers: HeaderSets;
}

const LONGEST_NAME = 255;

export function siteFiles({ assets, pictures, headers }: Deps) {
  const cache = new FinishedCache();
  /** Pictures that are text, and travel as such: in half the bytes. */
  const drawings = new FinishedCache();

  function find(path: string): FinishedAnswer | undefined {
    const file = path.startsWith('/assets/') ? assets.file(path) : undefined;
    return file && cache.get(path, '', () => finishedAsset(file, headers.asset));
  }

  const missing = () =>
    new Response('Not found', {
      status: 404,
      headers: { ...headers.api, 'Content-Type': 'text/plain' },
    });

  const read = sharing((name) => readFile(join(pictures, name)).catch(() => undefined));

  async function picture(
    name: string,
    version: string | undefined,
    asked: Headers,
  ): Promise<Response> {
    const type = contentType(name);
    if (!type || name.length > LONGEST_NAME || !/^[\w-]+\.\w+$/.test(name)) return missing();
    const bytes = await read(name);
    if (!bytes) return missing();
    const kind = version ? headers.asset : headers.picture;
    if (type.endsWith('svg+xml')) {
      const text = bytes.toString();
      return drawings
        .get(`${name} ${kind === headers.asset}`, '', () =>
          finishedText(text, { ...kind, 'Content-Type': type }),
        )
        .response(asked);
    }
    return new Response(bytes, {
      headers: { ...kind, 'Content-Type': type, 'Content-Length': String(bytes.length) },
    });
  }

  function routes(app: Hono<{ Bindings: HttpBindings }>): void {
    app.get('/assets/*', ({ req }) => find(req.path)?.response(req.raw.headers) ?? missing());
    app.get('/favicon.ico', () => picture('favicon.ico', undefined, new Headers()));
    app.get('/pictures/:name', ({ req }) =>
      picture(req.param('name'), req.query('v'), req.raw.headers),
    );
  }

  return { find, routes };
}
