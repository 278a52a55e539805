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

/**
 * What a dynamic import waits for. Vite's own also loads styles, of which every document has all from its beginning, and
 * weighs a tenth of what is ours of the first script.
 */
function smallPreload(): Plugin {
  return {
    name: 'small-preload',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    load(id) {
      if (!id.includes('vite/preload-helper')) return;
      return `const asked = new Set();
      export const __vitePreload = (load, files = []) => {
        for (const file of files) {
          if (asked.has(file)) continue;
          asked.add(file);
          const link = document.createElement('link');
          document.head.append(Object.assign(link, { rel: 'modulepreload', href: '/' + file }));
        }
        return load();
      };`;
    },
  };
}

/**
 * React comes as CommonJS, which is bundled whole, and which each file that imports it makes a module anew. As a module
 * its functions are imported by name, and what nobody imports is left out (docs/decisions/109-react-as-a-module.md).
 */
function reactAsModule(): Plugin {
  return {
    name: 'react-as-module',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    resolveId(source) {
      const [, name] = /^(react|react-dom|scheduler)(\/[\w-]+)?$/.exec(source) ?? [];
      const file = `${name}/cjs/${source.replace('/', '-')}.production.js`;
      return name && `${import.meta.dirname}/node_modules/${file}`;
    },
    transform(code, id) {
      if (REACT.test(id)) return asModule(code);
      // These import it in ways that hide from the bundler what they use.
      if (/\/node_modules\/@(radix-ui|stripe)\//.test(id))
        return code
          .replace(/^import React from/m, 'import * as React from')
          .replace(/\b(React2?)\[" (\w+) "\.trim\(\)\.toString\(\)\]/g, '$1.$2');
      return null;
    },
  };
}

function asModule(commonJs: string): string {
  const names = new Set([...commonJs.matchAll(/\bexports\.(\w+)/g)].map(([, name]) => name));
  const code = commonJs
    .replace(/^var (\w+ = require\("[\w-]+"\)[,;]\s*)+/gm, (required) =>
      required.replace(/(?:var )?(\w+) = require\((.+?)\)[,;]/g, 'import * as $1 from $2;'),
    )
    .replace(/^exports\./gm, 'var exports.')
    .replace(/\bexports\.(\w+)/g, 'exported_$1');
  if (/\b(exports|module|require)\b[.(]/.test(code)) throw new Error('React is not as it was');
  return `${code}export { ${[...names].map((name) => `exported_${name} as ${name}`)} };`;
}

/**
 * V8 keeps the text of all modules in memory, each character in two bytes where a single one (’) needs two. Written as
 * escapes, in no more than strings and patterns, they need one: a megabyte less.
 */
function oneByteText(): Plugin {
  return {
    name: 'one-byte-text',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          chunk.code = chunk.code.replace(
            /[^\0-\xff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
          );
    },
  };
}

/** 'use client' means something to other frameworks only; React asks for what its scheduler has in development. */
function onLog(
  level: Rolldown.LogLevel,
  log: Rolldown.RolldownLog,
  tell: Rolldown.LogOrStringHandler,
) {
  const ofReact = log.code === 'IMPORT_IS_UNDEFINED' && REACT.test(log.id ?? '');
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE' && !ofReact) tell(level, log);
}

/** Everything stands on it, so it comes before everything else. */
const REACT = /\/node_modules\/(react|react-dom|scheduler)\//;
/** What the public document runs before somebody is there; in one file it compresses better than in a dozen. */
const EARLY =
  /icons\/(chevron-left|chevron-right|play|pause)\.|\/src\/(documents\/site-app|pages\/pages|ui\/(theme|picture|container|failure-boundary|use-hold|focus\/(pass-)?focus-on)|platform\/(read|site|browser\/(page-data\.browser|create-icon|part))|company\/(read-site|weekdays)|news\/read-summaries)\./;
const FRAME =
  /\/node_modules\/(wouter|regexparam|use-sync-external-store|lucide-react)\/|\/src\/(ui|platform|company|contact)\//;
/** The checkout or the staff area need these at first, the site only when somebody types or clicks. */
const LATER =
  /\/src\/(platform\/(browser\/)?(fields|json-shapes|spam|query-client|random-id|reason-of)|ui\/(fields\/)?(dialog|checkbox|radio-cards|facts|show-page-failure))\.tsx?$|\/icons\/(external-link|arrow-left)\./;

function neededAtFirst(id: string): boolean {
  return FRAME.test(id) && !LATER.test(id);
}

/** What the home page shares with other pages: in one file it compresses better than in a dozen. */
function ofHome(id: string): boolean {
  return /\/src\/(contact\/(?!contact-message)|news\/|catalogue\/(catalogue-list|read-catalogue|prices\/phone-fold)|safeguards\/safeguards-address|platform\/browser\/rest-of-page\.|ui\/(fields\/)?(section|picture-card|arrow-link|hidden-field|select|textarea|use-hold)\.)/.test(
    id,
  );
}

/** What the home page and the checkout share with the frame of every page: few files are fetched sooner than many. */
const AROUND =
  /\/src\/(chat\/chat-button|company\/(open-now|opening-hours|try-again-or-call)|catalogue\/feature-list|ui\/(badge|spinner|show-page-failure)|platform\/reason-of)\./;

/** Windows and lists of facts, at the checkout and on staff's screens. */
const DETAILS =
  /\/src\/(ui\/(dialog|facts|long-day)|company\/letterhead|checkout\/checkout-address|orders\/customer\/order-page-address)\.|icons\/(external-link|printer)\./;
/** An order and a quote, likewise. */
const ORDERS =
  /\/src\/(orders\/(payment|order|order-state|order-contracts|customer\/order-route)|quotes\/(quote|read-quote|quote-notices|quoted-price|use-quote)|platform\/random-id)\./;

/** What the planner on the home page shares with the checkout. */
const PRICES =
  /\/src\/(catalogue\/(pricing|user-count)|ui\/fields\/(radio-cards|checkbox)|orders\/price-breakdown)\./;

/** Every entry imports it itself: to name it once more for each page would make the first script longer. */
const OF_EVERY_DOCUMENT = /\/react-/;

/** What the pages of text share: one name in the first script, which lists what each page needs. */
const TEXTS =
  /\/src\/ui\/(page-title|text\/(rich-text|text-with-contents|table-of-contents))\.|platform\/read-rich-text\.|icons\/arrow-left\./;

/** What operators run beside the server, also in the image, where there are no sources. */
const COMMANDS = ['backup', 'admin-password', 'notify-test'].map((name) => `scripts/${name}.ts`);

export default defineConfig(({ command }) => ({
  plugins: [tailwind(), serverWall(), smallPreload(), reactAsModule(), oneByteText()],
  publicDir: false,
  resolve: {
    alias: {
      'use-sync-external-store/shim/index.js': `${import.meta.dirname}/src/platform/browser/use-sync-external-store.ts`,
      regexparam: `${import.meta.dirname}/src/platform/browser/no-patterns.ts`,
      '../createLucideIcon.mjs': `${import.meta.dirname}/src/platform/browser/create-icon.tsx`,
      'node:http2': `${import.meta.dirname}/src/platform/http/no-http2.ts`,
    },
  },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        target: 'es2023',
        assetsInlineLimit: 0,
        modulePreload: {
          polyfill: false,
          // The HTML names what these two import, so it has been fetched by then.
          resolveDependencies: (_, files, { hostId }) =>
            /(site\.browser|home-page)-/.test(hostId)
              ? []
              : files.filter((file) => file.endsWith('.js') && !OF_EVERY_DOCUMENT.test(file)),
        },
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
          // start.browser.ts calls what the others export.
          preserveEntrySignatures: 'exports-only',
          // Styles name pictures of the content folder.
          external: [/^\/pictures\//],
          output: {
            // Each name stands in the first script, and a hash cannot be compressed.
            entryFileNames: 'assets/[name]-[hash:6].js',
            chunkFileNames: 'assets/[name]-[hash:6].js',
            // Compiled whole as it arrives, off the main thread, or each function would be when a press first needs it.
            postBanner: ({ name }) => (name === 'react' ? '//# allFunctionsCalledOnLoad' : ''),
            // What the documents share at first in one file: it compresses better than in many small ones.
            codeSplitting: {
              groups: [
                { name: 'react', test: REACT },
                { name: 'early', minShareCount: 2, test: EARLY },
                { name: 'shared', minShareCount: 2, tags: ['$initial'], test: neededAtFirst },
                { name: 'sections', minShareCount: 2, test: ofHome },
                { name: 'prices', minShareCount: 2, test: PRICES },
                { name: 'around', minShareCount: 2, test: AROUND },
                { name: 'texts', minShareCount: 2, test: TEXTS },
                {
                  name: 'schemas',
                  test: /\/node_modules\/zod\/|\/src\/platform\/(fields|json-shapes)\./,
                },
                { name: 'details', minShareCount: 2, test: DETAILS },
                { name: 'orders', minShareCount: 2, test: ORDERS },
              ],
            },
          },
          // Contracts are texts that are used once.
          optimization: { inlineConst: { mode: 'all', pass: 2 } },
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
          // Node starts it a tenth sooner than modules of the new kind (docs/decisions/106-a-quick-start.md).
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
