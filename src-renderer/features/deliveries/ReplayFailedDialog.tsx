import { Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ReplayPreview } from '../../../src-main/contract/deliveries.ts';
import { byCallback, deliveryApi, deliveryKeys, type ReplayRange } from '../../api/deliveries.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { notify } from '../../ui/snackbars.ts';
import { localTime } from '../../ui/time.ts';
import { ErrorNotice } from '../common/ErrorNotice.tsx';

const PERIODS = [
  { value: '3600', label: 'Last hour' },
  { value: '86400', label: 'Last 24 hours' },
  { value: '604800', label: 'Last 7 days' },
  { value: 'all', label: 'All failed deliveries' },
];

/** Counts first what would be sent again; nothing is sent before the button that names the number. */
export function ReplayFailedDialog({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const [period, setPeriod] = useState('86400');
  const range = useMemo<ReplayRange>(
    () => ({
      States: ['failed'],
      ...(period === 'all' ? {} : { Since: new Date(Date.now() - Number(period) * 1000).toISOString() }),
    }),
    [period],
  );
  const preview = useQuery({
    queryKey: [...deliveryKeys.all, 'preview', range],
    queryFn: ({ signal }) => deliveryApi.preview(range, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const replay = useMutation({
    mutationFn: () => deliveryApi.replayRange(range),
    onSuccess: ({ Replayed }) => {
      onClose();
      notify(`${countOf(Replayed)} sent again`);
      return cache.invalidateQueries({ queryKey: deliveryKeys.all });
    },
  });
  const found = preview.data;
  return (
    <ConfirmDialog
      opened
      title="Replay failed deliveries?"
      action={found ? `Replay ${countOf(found.Count)}` : 'Replay'}
      tone="accent"
      locked={found === undefined || found.Count === 0}
      busy={replay.isPending}
      onConfirm={() => replay.mutate()}
      onClose={onClose}
    >
      <Select
        label="Which"
        data={PERIODS}
        value={period}
        onChange={(value) => value && setPeriod(value)}
        allowDeselect={false}
        mb={12}
      />
      <div aria-live="polite" data-testid="replay-preview">
        {found ? <Preview found={found} /> : preview.error ? null : <p>Counting</p>}
      </div>
      {preview.error ? <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} /> : null}
      {replay.error ? <ErrorNotice error={replay.error} announce /> : null}
    </ConfirmDialog>
  );
}

function countOf(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'delivery' : 'deliveries'}`;
}

function Preview({ found }: { found: ReplayPreview }) {
  if (found.Count === 0) return <p>No delivery failed in this time.</p>;
  return (
    <>
      <p>
        <b>{countOf(found.Count)}</b> of {found.Machines.toLocaleString()}{' '}
        {found.Machines === 1 ? 'machine' : 'machines'}, asked for between {localTime(found.Oldest)} and{' '}
        {localTime(found.Newest)}:
      </p>
      <ul>
        {byCallback(found.Callbacks).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>
        They are sent in the order they were asked for, each under its own delivery id, by which receivers recognise
        what they have already. What has been sent cannot be taken back.
      </p>
    </>
  );
}
