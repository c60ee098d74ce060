import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  timeout: 60_000,
  workers: 1,
  retries: 0,
  use: { trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  reporter: [['list']],
});
