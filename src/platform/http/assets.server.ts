/** The built scripts and styles, and the pictures of content/, read at start, sent from memory. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { PICTURE_FORMATS, type Pictures, variantPath } from '../site.ts';
import type { App } from './call.server.ts';
import type { HeaderSets } from './headers.server.ts';
import { CachedResponse, encoded } from './response-cache.server.ts';

const THEME = 'src/theme.browser.ts';
/** The styles of the document that a script belongs to: public pages get fewest. */
export function stylesOf(script: string): string {
  if (script === 'src/admin.browser.tsx') return 'src/ui/theme.css';
  return script === 'src/checkout.browser.tsx' ? 'src/ui/checkout.css' : 'src/ui/site.css';
}

/** An entry of Vite's build manifest, as far as it is used here. */
interface ManifestChunk {
  file: string;
  css?: string[];
  assets?: string[];
  imports?: string[];
}

export type BuiltAssets = ReturnType<typeof readBuiltAssets>;

export function readBuiltAssets(folder: string) {
  const manifest: Record<string, ManifestChunk> = JSON.parse(
    readFileSync(join(folder, '.vite/manifest.json'), 'utf8'),
  );
  const files = new Map<string, ReturnType<typeof readBuiltFile>>();
  for (const { file, css = [], assets = [] } of Object.values(manifest))
    for (const name of [file, ...css, ...assets])
      files.set(`/${name}`, readBuiltFile(folder, name));

  const chunkOf = (source: string) => {
    const chunk = manifest[source];
    if (!chunk) throw new Error(`${source} is missing from the build`);
    return chunk;
  };
  const named = (name: string) => ({
    href: `/${name}`,
    integrity: files.get(`/${name}`)?.integrity ?? '',
  });
  const sourced = (source: string) => {
    const { href: src, integrity } = named(chunkOf(source).file);
    return { src, integrity };
  };
  /** The chunks of the sources and of everything they import. */
  function closure(sources: readonly string[]): ManifestChunk[] {
    const seen = new Set<ManifestChunk>();
    const visit = (source: string) => {
      const chunk = chunkOf(source);
      if (seen.has(chunk)) return;
      seen.add(chunk);
      chunk.imports?.forEach(visit);
    };
    sources.forEach(visit);
    return [...seen];
  }

  return {
    /** What the document's HTML must name. `page`: further sources that its page needs. */
    entry(source: string, page: readonly string[] = []) {
      const chunks = closure([source, ...page]);
      const { file, assets = [] } = chunkOf(stylesOf(source));
      const styles = new Set([file, ...chunks.flatMap(({ css = [] }) => css)]);
      return {
        theme: sourced(THEME),
        script: sourced(source),
        /** The script, and what it imports, at once or for the page. */
        modules: chunks.map(({ file }) => named(file)),
        styles: [...styles].map(named),
        fonts: assets.filter((name) => name.endsWith('.woff2')).map((name) => `/${name}`),
      };
    },
    files,
  };
}

/** A built file with the compressed versions that the build made. */
function readBuiltFile(folder: string, name: string) {
  const path = join(folder, name);
  const compressed = (file: string) => (existsSync(file) ? readFileSync(file) : undefined);
  const [br, gzip] = [compressed(`${path}.br`), compressed(`${path}.gz`)];
  const identity = readFileSync(path);
  return {
    type: contentType(name) ?? 'application/octet-stream',
    integrity: `sha256-${hash('sha256', identity, 'base64')}`,
    bodies: { identity, ...(br && { br }), ...(gzip && { gzip }) },
  };
}

const PICTURES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
};
/** '.svg, .avif, …' */
export const PICTURE_TYPES = Object.keys(PICTURES).join(', ');
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  ...PICTURES,
};

/** Undefined for file types that the site does not serve. */
function contentType(file: string): string | undefined {
  return TYPES[extname(file).toLowerCase()];
}

export async function fileRoutes(
  assets: BuiltAssets,
  pictures: { files: readonly PictureFile[]; manifest: Pictures },
  headers: HeaderSets,
) {
  const files = new Map<string, CachedResponse>();
  for (const [path, { type, bodies }] of assets.files) {
    const varies = bodies.br && { Vary: 'Accept-Encoding' };
    const assetHeaders = { ...headers.asset, 'Content-Type': type, ...varies };
    files.set(path, new CachedResponse({ headers: assetHeaders, bodies }));
  }
  const named = await Promise.all(
    pictures.files.map(async ({ name, type, identity }) => ({
      ...{ name, type, headers: {}, bodies: { identity } },
      ...(type === 'image/svg+xml' && (await encoded(identity))),
    })),
  );
  const finished = (kind: Record<string, string>) =>
    new Map(
      named.map(({ name, type, headers: own, ...rest }) => {
        const all = { ...kind, 'Content-Type': type, ...own };
        const { pathname } = new URL(`/pictures/${name}`, 'http://site');
        return [pathname, new CachedResponse({ ...rest, headers: all })];
      }),
    );
  const versions = versionsOf(pictures.manifest);
  const unversioned = finished(headers.picture);
  const ofVersion = finished(headers.asset);
  // During a deploy an old instance may be asked for a new version: its 404 must not be kept.
  const ofAnotherVersion = finished({ ...headers.picture, 'Cache-Control': 'no-cache' });

  const icon = unversioned.get('/pictures/favicon.ico');
  if (icon) files.set('/favicon.ico', icon);

  function findPicture(path: string, query: string): CachedResponse | undefined {
    const picture = unversioned.get(path);
    const version = picture && new URLSearchParams(query).get('v');
    if (!picture || version === null) return picture;
    return (version === versions.get(path) ? ofVersion : ofAnotherVersion).get(path);
  }

  function routes(app: App): void {
    const missing = { ...headers.api, 'Content-Type': 'text/plain' };
    for (const path of ['/assets/*', '/pictures/*', '/favicon.ico'])
      app.get(path, () => new Response('Not found', { status: 404, headers: missing }));
  }

  return {
    /** All requests share its bytes: slow readers, however many, cost no memory. */
    find: (path: string, query: string) => files.get(path) ?? findPicture(path, query),
    routes,
  };
}

/** The version of each picture and its variants, by path. */
function versionsOf(manifest: Pictures): Map<string, string> {
  return new Map(
    Object.entries(manifest).flatMap(([image, { version, widths = [] }]) => {
      const variants = PICTURE_FORMATS.flatMap((format) =>
        widths.map((width) => variantPath(image, width, format)),
      );
      return [image, ...variants].map((path) => [path, version] as const);
    }),
  );
}

export interface PictureFile {
  /** In the folder of pictures: 'team/anna.jpg'. */
  name: string;
  /** 'image/jpeg' */
  type: string;
  identity: Buffer<ArrayBuffer>;
}

export function listPictures(folder: string): Omit<PictureFile, 'identity'>[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const type = PICTURES[extname(entry.name).toLowerCase()];
    if (!type || entry.isDirectory()) return [];
    const path = relative(folder, join(entry.parentPath, entry.name));
    return [{ name: path.split(sep).join('/'), type }];
  });
}
