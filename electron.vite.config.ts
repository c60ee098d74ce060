import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const root = import.meta.dirname;

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      // package.json "dependencies" stay external, devDependencies are bundled.
      externalizeDeps: true,
      sourcemap: true,
      rolldownOptions: {
        // One flat folder: the desktop entry, the headless entry (no electron), and the store's worker thread.
        input: {
          index: resolve(root, 'src-main/shell/main.ts'),
          headless: resolve(root, 'src-main/headless/main.ts'),
          'sqlite-worker': resolve(root, 'src-main/store/drivers/sqlite-worker.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload can only require('electron') and a few builtins: bundle everything.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: resolve(root, 'src-main/shell/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  },
  renderer: {
    root: resolve(root, 'src-renderer'),
    base: '/ui/',
    plugins: [react()],
    build: {
      outDir: 'out/renderer',
      minify: true,
      sourcemap: true,
      rolldownOptions: { input: resolve(root, 'src-renderer/index.html') },
    },
  },
});
