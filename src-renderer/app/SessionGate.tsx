import { useQueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { HostState } from '../../src-main/contract/host.ts';
import { useDrafts } from '../api/drafts.ts';
import { useHandOver } from '../api/hand-over.ts';
import { startLive } from '../api/live.ts';
import { keys, POLL_OBJECTS } from '../api/queries.ts';
import { createRefresh } from '../api/refresh.ts';
import { currentToken, session } from '../api/session.ts';
import { NewPasswordScreen } from '../features/sign-in/NewPasswordScreen.tsx';
import { SignInScreen } from '../features/sign-in/SignInScreen.tsx';
import { SignInSheet } from '../features/sign-in/SignInSheet.tsx';
import { fetchAll } from '../ui/fetched.ts';
import { useSnackbars } from '../ui/snackbars.ts';
import { router } from './routes.tsx';

/** Decides by the session alone what fills the window. */
export function SessionGate() {
  const now = useStore(session);
  useLiveChanges(now.kind === 'signed-in');
  useForgetOnSignOut(now.kind === 'signed-out');
  useDraftGuard();
  useFirstScreen();
  useOtherScreens(now.kind === 'signed-in');
  switch (now.kind) {
    case 'checking':
      return null;
    case 'signed-out':
      return <SignInScreen />;
    case 'new-password':
      return <NewPasswordScreen user={now.user} />;
    case 'signed-in':
      return <RouterProvider router={router} />;
    case 'expired':
      return (
        <>
          <RouterProvider router={router} />
          <SignInSheet user={now.user} />
        </>
      );
  }
}

/** Reads the change stream while somebody is signed in, and refreshes what changed. */
function useLiveChanges(active: boolean) {
  const cache = useQueryClient();
  useEffect(() => {
    if (!active) return;
    const refresh = createRefresh(cache);
    // A sheet that ended over an open page: everything it shows may be old.
    refresh.everything();
    const live = startLive({
      token: currentToken,
      onChange: refresh.changed,
      onGap: refresh.everything,
      onPoll: () => {
        if (document.visibilityState === 'visible') refresh.everything();
      },
      pollEvery: POLL_OBJECTS,
      onDrop: () => void cache.invalidateQueries({ queryKey: keys.host }),
    });
    // The service is back: what it did meanwhile is not on screen yet.
    let running = true;
    const unsubscribe = cache.getQueryCache().subscribe(({ query }) => {
      if (query.queryKey[0] !== keys.host[0]) return;
      const now = query.state.status === 'success' && (query.state.data as HostState).service.state === 'running';
      if (now && !running) {
        refresh.everything();
        live.wake();
      }
      running = now;
    });
    return () => {
      unsubscribe();
      live.stop();
      refresh.stop();
    };
  }, [active, cache]);
}

/** The next user of this window must not see what the last one loaded or typed, nor undo it by a right of its own. */
function useForgetOnSignOut(signedOut: boolean) {
  const cache = useQueryClient();
  useEffect(() => {
    if (!signedOut) return;
    cache.removeQueries({ predicate: (q) => q.queryKey[0] !== keys.host[0] });
    useDrafts.setState({ byObject: {} });
    useHandOver.getState().clear();
    useSnackbars.getState().clear();
  }, [signedOut, cache]);
}

/** Fetches the screen the address asks for while somebody signs in. */
function useFirstScreen() {
  useEffect(() => {
    const address = router.parseLocation(router.history.location);
    void router.preloadRoute({ to: address.pathname === '/' ? '/machines' : address.pathname, search: address.search });
  }, []);
}

/** Fetches all other screens in idle time: whoever opens one for the first time while the server is away still gets it. */
function useOtherScreens(active: boolean) {
  useEffect(() => {
    if (!active) return;
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => void fetchAll(), 1000);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(() => void fetchAll());
    return () => cancelIdleCallback(idle);
  }, [active]);
}

/** Closing tab or window with unsaved drafts asks first; moving inside the application keeps them anyway. */
function useDraftGuard() {
  const dirty = useDrafts((state) => Object.keys(state.byObject).length > 0);
  useEffect(() => {
    if (!dirty) return;
    // A browser asks by itself; in the desktop the main process does.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
}
