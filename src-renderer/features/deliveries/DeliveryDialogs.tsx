import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Delivery } from '../../../src-main/contract/deliveries.ts';
import { deliveryApi, deliveryKeys } from '../../api/deliveries.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { notify } from '../../ui/snackbars.ts';
import { ErrorNotice } from '../common/ErrorNotice.tsx';
import { useSingleFlight } from '../common/use-single-flight.ts';

interface DialogProps {
  readonly delivery: Delivery;
  readonly machine: string;
  readonly onClose: () => void;
}

export function ReplayDialog({ delivery, machine, onClose }: DialogProps) {
  const replay = useAct(() => deliveryApi.replay(delivery.Id), `${delivery.Action} is sent again`, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Replay ${delivery.Action} of ${machine}?`}
      action="Replay delivery"
      tone="accent"
      busy={replay.isPending}
      onConfirm={replay.start}
      onClose={onClose}
    >
      <p>
        The request is rendered again from the machine and the configuration as they are now and sent under the same
        delivery id{delivery.State === 'ok' ? ', although it arrived before' : ''}, with a fresh Timeout and fresh
        retries.
      </p>
      <p>
        Receivers recognise it by the header X-Delivery-Id. What has been sent cannot be taken back. It takes its place
        behind what waits for this machine.
      </p>
      {replay.error ? <ErrorNotice error={replay.error} announce /> : null}
    </ConfirmDialog>
  );
}

export function CancelDialog({ delivery, machine, onClose }: DialogProps) {
  const cancel = useAct(() => deliveryApi.cancel(delivery.Id), `${delivery.Action} cancelled`, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Cancel ${delivery.Action} of ${machine}?`}
      action="Cancel delivery"
      keep="Keep it"
      busy={cancel.isPending}
      onConfirm={cancel.start}
      onClose={onClose}
    >
      <p>
        No further attempt is made, and whoever waits for the answer gets an error.
        {delivery.State === 'sending' ? ' The attempt under way may have arrived already.' : ''} It can be replayed
        later.
      </p>
      {cancel.error ? <ErrorNotice error={cancel.error} announce /> : null}
    </ConfirmDialog>
  );
}

function useAct(act: () => Promise<Delivery>, done: string, onClose: () => void) {
  const cache = useQueryClient();
  const mutation = useMutation({
    mutationFn: act,
    onSuccess: () => {
      onClose();
      notify(done);
      return cache.invalidateQueries({ queryKey: deliveryKeys.all });
    },
  });
  const start = useSingleFlight(() => mutation.mutateAsync());
  return { start, isPending: mutation.isPending, error: mutation.error };
}
