/**
 * Start of the renderer: providers, the remembered session, and the first paint.
 *
 *   api        requests, session, query keys, live changes, drafts and guarded saves, rights, error sentences
 *   ui         tables, panels, dialogs, editors; knows none of our nouns and sends nothing
 *   desktop    what only the desktop window can do; absent in a browser
 *   app        what fills the window: session gate, frame, routes
 *   features   one folder per kind of object; `common` is what they share (list screen, editor panel, dialogs)
 *   paths.ts   every address
 *
 * Colours are in theme.css alone; public/theme.js chooses the theme before the first frame.
 */
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
