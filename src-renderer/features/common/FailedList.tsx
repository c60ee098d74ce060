import { Button } from '@mantine/core';
import { IconLock, IconPlugConnectedX } from '@tabler/icons-react';
import { ApiError } from '../../api/errors.ts';
import { Blank } from '../../ui/Blank.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import classes from './ListScreen.module.css';

export function isServerGone(error: unknown): boolean {
  return error instanceof ApiError && (error.failure.kind === 'stopped' || error.failure.kind === 'unreachable');
}

/** `requires` as the server says it: `Requires: users list *`. */
export function DeniedList({ what, requires }: { what: string; requires: string }) {
  return (
    <Blank icon={IconLock} title={`You may not list ${what}`}>
      <p>
        <code>{requires}</code>
      </p>
      <p>Ask an administrator for a role with this claim.</p>
    </Blank>
  );
}

interface FailedListProps {
  /** In the plural: `machines`. */
  readonly what: string;
  /** The claim listing needs, for servers that do not say it. */
  readonly claim: string;
  readonly error: Error;
  readonly retry: () => void;
}

/** A list that could not be loaded: not allowed, no server, or anything else. */
export function FailedList({ what, claim, error, retry }: FailedListProps) {
  if (error instanceof ApiError && error.failure.kind === 'denied') {
    return <DeniedList what={what} requires={`Requires: ${error.failure.requires ?? claim}`} />;
  }
  if (isServerGone(error)) {
    return (
      <Blank
        icon={IconPlugConnectedX}
        title={error.message}
        actions={
          <Button variant="filled" onClick={retry}>
            Try again
          </Button>
        }
      >
        <p>The {what} appear here as soon as the server answers.</p>
      </Blank>
    );
  }
  return (
    <div className={classes['banner']}>
      <ErrorNotice error={error} onRetry={retry} />
    </div>
  );
}
