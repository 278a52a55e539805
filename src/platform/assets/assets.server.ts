/** The built scripts and styles, compressed by the build, read once at start, sent from memory. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltFile, readBuiltFile } from './built-file.server.ts';

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
  const files = new Map<string, BuiltFile>();
  for (const chunk of Object.values(manifest)) {
    for (const name of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) {
      files.set(name, readBuiltFile(folder, name));
    }
  }
  const integrity = (name: string) => {
    const bytes = files.get(name)?.bodies.identity;
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
     * sources that its page needs. `early`: the sources that run before anybody is there; without it all of them do.
     * React is always early, because everything else needs it.
     */
    entry(
      source: string,
      { page = [], early }: { page?: readonly string[]; early?: readonly string[] } = {},
    ) {
      const react = reactIn(manifest);
      const chunks = closure(manifest, [react, source, ...page]);
      const first = early ? closure(manifest, [react, ...early]) : chunks;
      const [start, entry] = [chunkOf(START), chunkOf(source)];
      const files = (wanted: readonly ManifestChunk[]) =>
        wanted.filter(({ file }) => file !== start.file).map(({ file }) => named(file));
      const theme = chunkOf(STYLES);
      const styles = [...new Set([theme.file, ...chunks.flatMap((chunk) => chunk.css ?? [])])];
      return {
        theme: sourced(chunkOf(THEME).file),
        start: sourced(start.file),
        scripts: {
          script: named(entry.file),
          early: files(first),
          late: files(chunks.filter((chunk) => !first.includes(chunk))),
        },
        styles: styles.map(named),
        fonts: (theme.assets ?? [])
          .filter((name) => name.endsWith('.woff2'))
          .map((name) => `/${name}`),
      };
    },
    file: (path: string) => files.get(path.slice(1)),
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

/** The key of the chunk that vite.config.ts names so. */
function reactIn(manifest: Record<string, ManifestChunk>): string {
  const found = Object.keys(manifest).find((key) => manifest[key]?.name === 'react');
  if (!found) throw new Error('react is missing from the build');
  return found;
}
