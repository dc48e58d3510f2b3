import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// The page policy allows no inline script or style, and the build must give the same bytes everywhere:
// no polyfill, no source maps, names from the content only.
export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    reportCompressedSize: false,
  },
  server: { proxy: { '^/api/': 'http://127.0.0.1:8080' } },
});
