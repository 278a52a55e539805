import tailwind from '@tailwindcss/vite';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** The wall: a module named *.server.ts is the server's own, and a browser build that reaches one fails. */
function serverWall(): Plugin {
  return {
    name: 'server-wall',
    applyToEnvironment: (environment) => environment.name === 'client',
    load(id) {
      if (/\.server\.tsx?(\?|$)/.test(id)) throw new Error(`${id} must not reach the browser`);
    },
  };
}

/** 'use client' means something to other frameworks only. */
function onLog(
  level: Rolldown.LogLevel,
  log: Rolldown.RolldownLog,
  tell: Rolldown.LogOrStringHandler,
) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
}

/** Schemas and dialogs stay apart: the checkout needs them at first, the site only when somebody types or clicks. */
function neededAtFirst(id: string): boolean {
  return !/\/node_modules\/zod\/|\/src\/(platform\/(fields|spam)|ui\/dialog)\.tsx?$/.test(id);
}

export default defineConfig(({ command }) => ({
  plugins: [tailwind(), serverWall()],
  publicDir: false,
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        target: 'es2023',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: ['src/site.browser.tsx', 'src/checkout.browser.tsx', 'src/admin.browser.tsx'],
          output: {
            // What the documents share at first in one file: it compresses better than in many small ones.
            codeSplitting: {
              groups: [
                { name: 'shared', minShareCount: 2, tags: ['$initial'], test: neededAtFirst },
              ],
            },
          },
          onLog,
        },
      },
    },
    ssr: {
      // Bundled whole when built, so that the server starts without reading hundreds of files.
      resolve: command === 'build' ? { noExternal: true, external: ['pg-native'] } : {},
      build: {
        outDir: 'dist/server',
        target: 'node24',
        emitAssets: false,
        rolldownOptions: { input: 'src/server.ts', onLog },
      },
    },
  },
  builder: {},
}));
