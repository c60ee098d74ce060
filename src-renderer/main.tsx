/** Start of the renderer: providers, the remembered session, and the first paint. */
import './ui/styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/queries.ts';
import { resumeSession } from './api/session.ts';
import { SessionGate } from './app/SessionGate.tsx';
import { colorSchemeManager } from './ui/color-scheme.ts';
import { resolveVariables, theme } from './ui/mantine-theme.ts';
import { SnackbarHost } from './ui/SnackbarHost.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');

const queryClient = createQueryClient();
void resumeSession();

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <SessionGate />
        <SnackbarHost />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
