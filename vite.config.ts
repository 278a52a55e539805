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
  defaultHandler: Rolldown.LogOrStringHandler,
) {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE') defaultHandler(level, log);
}

/** What operators run beside the server, also in the image, where there are no sources. */
const COMMANDS = ['backup', 'admin-password', 'db-move', 'doctor'].map(
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
        target: 'es2023',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: [
            // No script names it, or each would list it among what it needs.
            'src/ui/theme.css',
            'src/theme.browser.ts',
            'src/start.browser.ts',
            'src/site.browser.tsx',
            'src/checkout.browser.tsx',
            'src/admin.browser.tsx',
          ],
          // Styles name pictures of the content folder.
          external: [/^\/pictures\//],
          output: {
            // What every document needs, in one file: it compresses better, and changes seldom.
            codeSplitting: {
              groups: [
                { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
                {
                  name: 'data',
                  test: /\/node_modules\/zod\/|\/src\/platform\/(contract|fetch-call|money|schema)/,
                },
                // Of the home page the first screen makes no calls.
                {
                  name: 'queries',
                  test: /\/node_modules\/@tanstack\/|\/src\/platform\/browser\/query/,
                },
                {
                  name: 'shared',
                  minShareCount: 3,
                  // What the first screen of a page needs, and not its forms, dialogs and long texts.
                  test: /\/lucide-react\/dist\/esm\/(?!icons)|\/src\/company\/(company|hours|logo|navbar)|\/src\/ui\/(button|failure|focus|layout|mark|page-failure|picture|section|skeleton|spinner|stay|toast\/toast|tooltips|use-)/,
                },
                {
                  name: 'forms',
                  minShareCount: 3,
                  test: /\/src\/ui\/(contact|dialog|facts|fields|fold|notice)/,
                },
                { name: 'catalogue', minShareCount: 2, test: /\/src\/catalogue\// },
              ],
            },
          },
          onLog,
        },
      },
    },
    ssr: {
      // Whatever the environment of the server says: React's development half weighs more and draws slower.
      define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
      // Bundled whole when built, so that the server starts without reading hundreds of files.
      resolve: command === 'build' ? { noExternal: true, external: ['pg-native'] } : {},
      build: {
        outDir: 'dist/server',
        target: 'node24',
        emitAssets: false,
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
