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
            // An entry of its own: imported by scripts, it would be a dependency of each.
            'src/ui/theme.css',
            'src/theme.browser.ts',
            'src/start.browser.ts',
            'src/site.browser.tsx',
            'src/checkout.browser.tsx',
            'src/admin.browser.tsx',
          ],
          // Styles refer to pictures in content/.
          external: [/^\/pictures\//],
          output: {
            // One file for what every document needs: it compresses better, and rarely changes.
            codeSplitting: {
              groups: [
                { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\// },
                {
                  name: 'data',
                  test: /\/node_modules\/zod\/|\/src\/platform\/(contract|fetch-call|money|schema)/,
                },
                // Apart from 'data', because the home page's first screen makes no calls.
                {
                  name: 'queries',
                  test: /\/node_modules\/@tanstack\/|\/src\/platform\/browser\/query/,
                },
                {
                  name: 'shared',
                  minShareCount: 3,
                  // What a page's first screen needs; not its forms, dialogs and long texts.
                  test: /\/lucide-react\/dist\/esm\/(?!icons)|\/src\/company\/(company|hours|logo|navbar)|\/src\/ui\/(button|failure|focus|layout|page-failure|picture|skeleton|stay|toast\/toast|tooltips|use-)/,
                },
                {
                  name: 'forms',
                  minShareCount: 3,
                  test: /\/src\/ui\/(badge|contact|description-list|dialog|disclosure|fields|local-time|notice)/,
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
      // Fixed at build time: React's development build is larger and slower.
      define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
      // Bundles all packages, so that the server starts without reading hundreds of files.
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
