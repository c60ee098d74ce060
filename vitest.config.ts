import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    // A test that hangs ends; one on a slow or busy machine does not.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        test: {
          name: 'main',
          environment: 'node',
          include: ['src-main/**/*.test.ts', 'build/**/*.test.ts', 'bench/**/*.test.ts'],
        },
      },
      { test: { name: 'renderer', environment: 'happy-dom', include: ['src-renderer/**/*.test.{ts,tsx}'] } },
    ],
  },
});
