import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
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
