import { Button } from '@mantine/core';
import { useCan } from '../../api/can.ts';
import { ApiError } from '../../api/errors.ts';
import { useHandOver } from '../../api/hand-over.ts';
import { hrefTo } from '../../paths.ts';
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
      {error instanceof ApiError && error.failure.kind === 'denied' ? <Why error={error} /> : null}
    </Notice>
  );
}

/** Opens the simulator with the refused request. Only for those who may ask it; it shows what others may do. */
function Why({ error }: { error: ApiError }) {
  const can = useCan();
  if (error.request.path.includes('/x/access/')) return null;
  if ((can.locked('users', 'list') ?? can.locked('roles', 'list')) !== undefined) return null;
  const { method, path, body } = error.request;
  return (
    <Button
      size="compact-sm"
      component="a"
      href={hrefTo('simulator', { user: can.user, method, path: path.replace(/\?.*/, '') })}
      // Only a patch is judged by its fields; other bodies may hold a password.
      onClick={() => method === 'PATCH' && body !== undefined && useHandOver.getState().give({ body })}
    >
      Why?
    </Button>
  );
}
