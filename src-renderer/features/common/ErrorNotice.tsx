import { Button } from '@mantine/core';
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
