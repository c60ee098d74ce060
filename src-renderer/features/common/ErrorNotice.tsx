import { Button } from '@mantine/core';
import { ApiError } from '../../api/errors.ts';
import { Notice } from '../../ui/Notice.tsx';
import { noticeOf, toneOf } from './notice-of.ts';

/** An error where it happened. `announce` for something the user just did; `onRetry` where repeating makes sense. */
export function ErrorNotice({
  error,
  announce,
  onRetry,
}: {
  error: unknown;
  announce?: boolean;
  onRetry?: () => void;
}) {
  // The sign-in sheet says it, and after signing in again it is no longer true.
  if (error instanceof ApiError && error.failure.kind === 'session-over') return null;
  return (
    <Notice tone={toneOf(error)} content={noticeOf(error)} announce={announce ?? false}>
      {onRetry ? (
        <Button size="compact-sm" onClick={onRetry}>
          Retry
        </Button>
      ) : null}
    </Notice>
  );
}
