import { globSync } from 'node:fs';
import tailwind from '@tailwindcss/vite';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Fails a browser build that imports a *.server.ts module. */
function serverWall(): Plugin {
  return {
    name: 'server-wall',
    applyToEnvironment: (environment) => environment.name === 'client',
    load(id) {
      if (/\.server\.tsx?(\?|$)/.test(id)) throw new Error(`${id} must not reach the browser`);
    },
  };
}

/** Silences warnings about 'use client', which has a meaning only in other frameworks. */
function onLog(
  level: Rolldown.LogLevel,
  log: Rolldown.RolldownLog,
  defaultHandler: Rolldown.LogOrStringHandler,
) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') defaultHandler(level, log);
}

/** Commands that operators run beside the server; built, because the image has no sources. */
const COMMANDS = ['backup', 'erase-again', 'admin-password', 'db-move', 'doctor'].map(
  (name) => `scripts/${name}.ts`,
);

export default defineConfig(({ command }) => ({
  plugins: [tailwind(), serverWall()],
  publicDir: false,
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        license: true,
        target: 'es2023',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: [
            // Entries of their own: imported by scripts, they would be dependencies of each.
            'src/ui/site.css',
            'src/ui/checkout.css',
            'src/ui/theme.css',
            'src/theme.browser.ts',
            'src/shell.browser.ts',
            'src/site.browser.tsx',
            ...globSync('src/*/*-islands.tsx'),
            'src/vitals.browser.ts',
            'src/chat/chat-panel.tsx',
            'src/checkout.browser.tsx',
            'src/admin.browser.tsx',
          ],
          // The shell fetches the chat's panel by the address in the HTML.
          preserveEntrySignatures: 'exports-only',
          // Styles refer to pictures in content/.
          external: [/^\/pictures\//],
          output: {
            // Few files for each document, since each costs a request. A group takes along what its modules import.
            codeSplitting: {
              groups: [
                {
                  name: 'react',
                  priority: 3,
                  test: /\/node_modules\/(react|react-dom|scheduler)\//,
                },
                // All that a page needs which is only read.
                { name: 'shell', priority: 4, test: /\/src\/web\/shell\.ts/ },
                // What the home page needs; the islands of other pages need most of it, too.
                {
                  name: 'home',
                  priority: 2,
                  test: /\/src\/(home\/home-islands|ui\/hydrate)/,
                },
                // Its form, and what others have of that.
                {
                  name: 'forms',
                  priority: 1,
                  test: /\/src\/home\/home-rest-islands/,
                },
                {
                  name: 'orders',
                  minShareCount: 2,
                  test: /\/src\/(checkout|orders|quotes)\/|preload-helper/,
                },
              ],
            },
          },
          onLog,
        },
      },
    },
    ssr: {
      // Fixed at build time: React's development build is larger and slower.
      define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
      // Bundles all packages, so that the server starts without reading hundreds of files.
      resolve: command === 'build' ? { noExternal: true, external: ['pg-native'] } : {},
      build: {
        outDir: 'dist/server',
        target: 'node24',
        emitAssets: false,
        license: true,
        rolldownOptions: {
          input: ['src/server.ts', ...COMMANDS],
          output: {
            format: 'cjs',
            entryFileNames: '[name].cjs',
            chunkFileNames: 'assets/[name]-[hash].cjs',
            comments: { legal: true, annotation: false, jsdoc: false },
          },
          onLog,
        },
      },
    },
  },
  builder: {},
}));
