/** The built scripts and styles, compressed by the build, read once at start, sent from memory. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const START = 'src/start.browser.ts';
const THEME = 'src/theme.browser.ts';
const STYLES = 'src/ui/theme.css';

interface ManifestChunk {
  file: string;
  name?: string;
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
  for (const chunk of Object.values(manifest)) {
    for (const name of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) {
      files.set(`/${name}`, readBuiltFile(folder, name));
    }
  }
  const integrity = (name: string) => {
    const bytes = files.get(`/${name}`)?.bodies.identity;
    if (!bytes) throw new Error(`${name} is missing from the build`);
    return `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
  };
  const named = (name: string) => ({ href: `/${name}`, integrity: integrity(name) });
  const sourced = (name: string) => ({ src: `/${name}`, integrity: integrity(name) });

  const chunkOf = (source: string) => {
    const chunk = manifest[source];
    if (!chunk) throw new Error(`${source} is missing from the build`);
    return chunk;
  };

  return {
    /**
     * What the HTML of one document must name: its entry, what that imports, its styles and its font. `page`: further
     * sources that its page needs.
     */
    entry(source: string, page: readonly string[] = []) {
      const chunks = closure(manifest, [source, ...page]);
      const theme = chunkOf(STYLES);
      const styles = [...new Set([theme.file, ...chunks.flatMap((chunk) => chunk.css ?? [])])];
      return {
        theme: sourced(chunkOf(THEME).file),
        start: sourced(chunkOf(START).file),
        scripts: {
          script: named(chunkOf(source).file),
          modules: chunks.map(({ file }) => named(file)),
        },
        styles: styles.map(named),
        fonts: (theme.assets ?? [])
          .filter((name) => name.endsWith('.woff2'))
          .map((name) => `/${name}`),
      };
    },
    /** By their paths. */
    files,
  };
}

function closure(
  manifest: Record<string, ManifestChunk>,
  sources: readonly string[],
): ManifestChunk[] {
  const seen = new Set<ManifestChunk>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(chunk)) return;
    seen.add(chunk);
    chunk.imports?.forEach(visit);
  };
  sources.forEach(visit);
  return [...seen];
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};

/** The content type of a file by its name; undefined for kinds that the site does not serve. */
export function contentType(file: string): string | undefined {
  return TYPES[extname(file).toLowerCase()];
}

/** A built file, and what the build has compressed of it. */
function readBuiltFile(folder: string, name: string) {
  const path = join(folder, name);
  const compressed = (file: string) => (existsSync(file) ? readFileSync(file) : undefined);
  const [br, gzip] = [compressed(`${path}.br`), compressed(`${path}.gz`)];
  return {
    type: contentType(name) ?? 'application/octet-stream',
    bodies: { identity: readFileSync(path), ...(br && { br }), ...(gzip && { gzip }) },
  };
}
