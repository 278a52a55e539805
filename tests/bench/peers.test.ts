import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { PEER_FOLDERS } from './peers.ts';
import { CLIENT_COMPONENTS } from './peers-build.ts';

/** A line that takes something of the product, or of what stands in for it. */
const TAKEN = /^(?:import|export) (\{.*\}) from '[./]+\/generated\/(.*\.tsx?)';$/gm;

test.for(PEER_FOLDERS.map((folder) => basename(folder)))(
  '%s imports nothing that the product no longer has',
  async (peer) => {
    const folder = join('bench/peers', peer);
    const files = globSync('{app,src}/**/*.{js,jsx,astro}', { cwd: folder });
    const lines = files.flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(TAKEN),
    ]);
    expect(lines.length).toBeGreaterThan(1);
    // The layers of which the build makes one folder, the uppermost first.
    const layers = [join(folder, 'own'), 'bench/peers/page', 'src'].map((each) => resolve(each));
    const find = (file: string) =>
      layers.map((each) => join(each, file)).find((each) => existsSync(each));

    const built = build({
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
            const layer = layers.find((each) => importer?.startsWith(each));
            if (!layer || !importer || !id.startsWith('.')) return undefined;
            return find(resolve(importer, '..', id).slice(layer.length));
          },
          load(id) {
            const [, names, file] = lines[Number(/^\0\/line-(\d+)$/.exec(id)?.[1])] ?? [];
            return file && `export ${names} from ${JSON.stringify(find(file))};`;
          },
        },
      ],
    });
    await expect(built).resolves.toBeDefined();
  },
);

test.for(CLIENT_COMPONENTS)('%s, which Next.js is told of, is there', (file) => {
  expect(existsSync(join('src', file))).toBe(true);
});
