import node from '@astrojs/node';
import react from '@astrojs/react';
import tailwind from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';

export default defineConfig({
  integrations: [react()],
  adapter: node({ mode: 'standalone' }),
  vite: { plugins: [tailwind()] },
});
