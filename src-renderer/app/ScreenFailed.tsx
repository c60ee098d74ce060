import { Button } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useHost } from '../api/queries.ts';
import { Blank, Loading } from '../ui/Blank.tsx';
import { FetchError, fetchFailed } from '../ui/fetched.ts';

/** Stands in the place of a screen that could not be drawn; the frame around it stays. */
export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  if (error instanceof FetchError) return <NotFetched reset={reset} />;
  return (
    <Blank
      icon={IconAlertTriangle}
      title="This screen failed"
      actions={
        <>
          <Button variant="filled" onClick={reset}>
            Try again
          </Button>
          <Button onClick={reload}>Reload the page</Button>
        </>
      }
    >
      <p>{error instanceof Error ? error.message : String(error)}</p>
    </Blank>
  );
}

/**
 * A screen that was never opened is fetched from the server. While that is away it is awaited, and fetched when it is back; one
 * that answers and has no such file is another version than this page, which only a reload replaces.
 */
function NotFetched({ reset }: { reset: () => void }) {
  const { refetch, isError: away } = useHost();
  const [state, setState] = useState<'asking' | 'away' | 'refused'>('asking');
  const again = useCallback(async () => {
    if ((await refetch()).isError) setState('away');
    else if (await fetchFailed()) reset();
    else setState('refused');
  }, [refetch, reset]);
  useEffect(() => {
    if (away) setState('away');
    else void again();
  }, [away, again]);
  if (state === 'asking') return <Loading what="the screen" />;
  return (
    <Blank
      icon={state === 'away' ? IconPlugConnectedX : IconAlertTriangle}
      title={state === 'away' ? 'The server does not answer' : 'This screen could not be fetched'}
      actions={
        <>
          <Button variant="filled" onClick={() => void again()}>
            Try again
          </Button>
          {state === 'away' ? null : <Button onClick={reload}>Reload the page</Button>}
        </>
      }
    >
      {state === 'away' ? (
        <p>This screen was not opened before. It appears here as soon as the server answers.</p>
      ) : (
        <p>
          The server answers, but without this screen: it may have been upgraded since the page was opened. Save drafts
          before you reload; you may have to sign in again.
        </p>
      )}
    </Blank>
  );
}

/** With unsaved drafts the browser asks first. */
function reload(): void {
  location.reload();
}
