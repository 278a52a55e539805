/** Builds the server once more, with the two parts that take requests down replaced by ones that do nothing. */
import { resolve } from 'node:path';
import { build } from 'vite';

const FOLDER = 'dist/unlogged';

/** Gives the script of a server that answers as ours does, but keeps no access log. */
export async function buildUnloggedServer(): Promise<string> {
  const without = resolve('tests/bench/without-log.ts');
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    resolve: {
      alias: [
        { find: /^.*\/record-requests\.server\.ts$/, replacement: without },
        { find: /^.*\/measured-response\.server\.ts$/, replacement: without },
      ],
    },
    ssr: { noExternal: true, external: ['pg-native'] },
    build: { ssr: 'src/server.ts', outDir: FOLDER, target: 'node24', emitAssets: false },
  });
  return `${FOLDER}/server.js`;
}
