import tailwind from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwind(), serverWall()],
  publicDir: false,
  build: isSsrBuild
    ? { outDir: 'dist/server', ssr: 'src/server.ts', target: 'node24', emptyOutDir: true }
    : {
        outDir: 'dist/client',
        manifest: true,
        target: 'es2023',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: ['src/site.browser.tsx', 'src/checkout.browser.tsx', 'src/admin.browser.tsx'],
        },
      },
  ssr: { noExternal: true, external: ['pg-native'] },
  oxc: { jsx: { runtime: 'automatic' } },
}));
