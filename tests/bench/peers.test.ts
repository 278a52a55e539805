/** The peers are built from the product's files, and only when they are measured: what would fail then is found here. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { PEER_FOLDERS } from './peers.ts';
import { CLIENT_COMPONENTS } from './peers-build.ts';

/** A line that takes something of the product, or of what stands in for it. */
const TAKEN = /^(?:import|export) (\{.*\}) from '[./]+\/generated\/(.*\.tsx?)';$/gm;
const FOR_CLIENTS =
  /import \{[^}]*\b(use(State|Effect|LayoutEffect|EffectEvent|Reducer|SyncExternalStore)|flushSync|createContext)\b[^}]*\} from 'react/;

/** The product's files, and those that stand in for them, of which the peer's page is made. */
async function filesOf(peer: string, stopAt: readonly string[] = []): Promise<string[]> {
  const folder = join('bench/peers', peer);
  const lines = globSync('{app,src}/**/*.{js,jsx,astro}', { cwd: folder }).flatMap((file) => [
    ...readFileSync(join(folder, file), 'utf8').matchAll(TAKEN),
  ]);
  expect(lines.length).toBeGreaterThan(1);
  // The layers of which the build makes one folder, the uppermost first.
  const layers = [join(folder, 'own'), 'bench/peers/page', 'src'].map((each) => resolve(each));
  const find = (file: string) => {
    const id = layers.map((each) => join(each, file)).find((each) => existsSync(each));
    return id && stopAt.includes(file) ? { id, external: true } : id;
  };
  const files: string[] = [];
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: true,
      write: false,
      rolldownOptions: {
        input: lines.map((_, place) => `/line-${place}`),
        external: (id) => /^[a-z@]|\.(css|json)$/.test(id),
      },
    },
    plugins: [
      {
        name: 'layers',
        enforce: 'pre',
        resolveId(id, importer) {
          if (/^\/line-\d+$/.test(id)) return `\0${id}`;
          const taken = /^\/taken\/(.*)/.exec(id)?.[1];
          if (taken) return find(taken);
          const layer = layers.find((each) => importer?.startsWith(each));
          if (!layer || !importer || !id.startsWith('.')) return undefined;
          return find(resolve(importer, '..', id).slice(layer.length + 1));
        },
        load(id) {
          const [, names, file] = lines[Number(/^\0\/line-(\d+)$/.exec(id)?.[1])] ?? [];
          return file && `export ${names} from '/taken/${file}';`;
        },
        moduleParsed({ id }) {
          if (layers.some((layer) => id.startsWith(layer))) files.push(id);
        },
      },
    ],
  });
  return files;
}

test.for(PEER_FOLDERS.map((folder) => basename(folder)))(
  '%s imports nothing that the product no longer has',
  async (peer) => {
    const files = await filesOf(peer);
    expect(files).toContainEqual(expect.stringMatching(/src.home.hero\.tsx$/));
  },
);

test('Next.js is told of every component that keeps a state or listens', async () => {
  const onServer = await filesOf('next', CLIENT_COMPONENTS);
  expect(onServer).toContainEqual(expect.stringMatching(/src.home.hero\.tsx$/));
  expect(onServer.filter((file) => FOR_CLIENTS.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test.for(CLIENT_COMPONENTS)('%s, which Next.js is told of, is there', (file) => {
  expect(existsSync(join('src', file))).toBe(true);
});
