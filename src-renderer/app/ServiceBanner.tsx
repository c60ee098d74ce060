import { Button } from '@mantine/core';
import { useHost } from '../api/queries.ts';
import { Notice } from '../ui/Notice.tsx';
import { localTime } from '../ui/time.ts';
import { describeService } from './service-state.ts';

/** Says why nothing can be changed while the service does not run; the shell and what was loaded stay readable. */
export function ServiceBanner() {
  const host = useHost();
  const state = describeService(host.data, host.isError);
  if (state.reason === undefined) return null;
  const since = state.since ? `Since ${localTime(state.since)}. ` : '';
  return (
    <div style={{ padding: '0 12px 10px' }} role="status">
      <Notice
        tone={state.tone === 'pending' ? 'info' : 'danger'}
        content={{
          title: `Server: ${state.word}`,
          lines: [state.reason],
          hint: `${since}What is shown was loaded before; changes are not possible now. ${state.hint ?? ''}`,
        }}
      >
        <Button size="compact-sm" onClick={() => void host.refetch()}>
          Try again
        </Button>
      </Notice>
    </div>
  );
}
