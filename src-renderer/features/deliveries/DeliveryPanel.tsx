import { IconBan, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Delivery, isFinished } from '../../../src-main/contract/deliveries.ts';
import { callbacksOf } from '../../api/callbacks.ts';
import { useCan } from '../../api/can.ts';
import { curlOf } from '../../api/curl.ts';
import { deliveryPath, deliveryQuery, durationOf } from '../../api/deliveries.ts';
import { useList } from '../../api/queries.ts';
import { linkTo } from '../../paths.ts';
import { Loading } from '../../ui/Blank.tsx';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { CopyCurl, Notice } from '../../ui/Notice.tsx';
import { CopiedText, Facts, Panel, Section } from '../../ui/Panel.tsx';
import { localTime, milliseconds, remaining } from '../../ui/time.ts';
import { ErrorNotice } from '../common/ErrorNotice.tsx';
import { useScreen } from '../common/use-screen.ts';
import { Attempts } from './Attempts.tsx';
import { CancelDialog, ReplayDialog } from './DeliveryDialogs.tsx';
import { StateChip } from './DeliveryState.tsx';
import { useMachineNames } from './use-machine-names.ts';

/** One delivery: what became of it, its attempts with what went out and what came back. */
export function DeliveryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(deliveryQuery(id));
  const { search, update } = useScreen();
  const nameOf = useMachineNames();
  const frame = {
    kind: 'Delivery',
    tab: search.tab,
    onTab: (tab: string) => update({ tab }, { replace: true }),
    onClose,
  };
  const delivery = query.data;
  if (!delivery) {
    const content = query.error ? (
      <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Loading what="the delivery" rows={5} />
    );
    return <Panel {...frame} title={id} tabs={[{ id: 'attempts', label: 'Attempts', content }]} />;
  }
  const machine = nameOf(delivery.Machine);
  return (
    <Panel
      {...frame}
      title={`${delivery.Action} of ${machine}`}
      chips={<StateChip state={delivery.State} />}
      actions={
        <>
          <Acts delivery={delivery} machine={machine} />
          <CopyCurl text={curlOf(location.origin, { method: 'GET', path: deliveryPath(id) })} />
        </>
      }
      tabs={[
        {
          id: 'attempts',
          label: 'Attempts',
          content: (
            <>
              <Outcome delivery={delivery} />
              <About delivery={delivery} machine={machine} />
              <AttemptsSection delivery={delivery} />
            </>
          ),
        },
        {
          id: 'json',
          label: 'JSON',
          content: (
            <>
              <p className="hint">The record as stored; secrets were masked before it was written.</p>
              <div style={{ height: 8 }} />
              <JsonEditor label="Delivery as JSON" value={delivery} readOnly minHeight={280} />
            </>
          ),
        },
      ]}
    />
  );
}

function Acts({ delivery, machine }: { delivery: Delivery; machine: string }) {
  const can = useCan();
  const [asking, setAsking] = useState(false);
  const finished = isFinished(delivery.State);
  const close = () => setAsking(false);
  return (
    <>
      <GuardedButton
        size="compact-sm"
        leftSection={finished ? <IconRefresh size={15} aria-hidden /> : <IconBan size={15} aria-hidden />}
        locked={can.locked('deliveries', finished ? 'replay' : 'cancel', delivery.Id)}
        onClick={() => setAsking(true)}
      >
        {finished ? 'Replay' : 'Cancel'}
      </GuardedButton>
      {asking && finished ? <ReplayDialog delivery={delivery} machine={machine} onClose={close} /> : null}
      {asking && !finished ? <CancelDialog delivery={delivery} machine={machine} onClose={close} /> : null}
    </>
  );
}

/** Why it failed or is held, or when it goes on. */
function Outcome({ delivery }: { delivery: Delivery }) {
  const now = useNow(delivery.NextAttempt !== '');
  if (delivery.NextAttempt !== '') {
    const due = Date.parse(delivery.NextAttempt) > now;
    return (
      <Notice
        tone="info"
        content={{
          title: due ? `Next attempt ${remaining(delivery.NextAttempt, now)}` : 'The next attempt is due',
          lines: [`At ${localTime(delivery.NextAttempt)}, retry ${delivery.Retries}`],
        }}
      />
    );
  }
  if (delivery.Error === '') return null;
  return (
    <Notice
      tone={delivery.State === 'held' ? 'warn' : delivery.State === 'cancelled' ? 'info' : 'danger'}
      content={{
        title: delivery.State === 'held' ? 'Held' : delivery.State === 'cancelled' ? 'Cancelled' : 'Failed',
        lines: [delivery.Error],
      }}
    />
  );
}

function About({ delivery, machine }: { delivery: Delivery; machine: string }) {
  const ms = durationOf(delivery);
  return (
    <Section title="About">
      <Facts
        rows={[
          { label: 'Machine', value: <Link {...linkTo('machines', delivery.Machine)}>{machine}</Link> },
          {
            label: 'Callback',
            value: (
              <>
                <Link {...linkTo('callbacks', delivery.Plugin)}>{delivery.Plugin}</Link> / {delivery.Action}
              </>
            ),
          },
          { label: 'Trigger', value: delivery.Trigger },
          ...(delivery.Job === '' ? [] : [{ label: 'Failed job', value: <code>{delivery.Job}</code> }]),
          { label: 'Asked for', value: <Moment iso={delivery.Time} /> },
          {
            label: 'Ended',
            value:
              ms === undefined ? (
                'not yet'
              ) : (
                <>
                  <Moment iso={delivery.EndTime} />, after {milliseconds(ms)}
                </>
              ),
          },
          ...(delivery.Replays > 0 ? [{ label: 'Replays', value: delivery.Replays }] : []),
          ...(delivery.Override
            ? [{ label: 'Data override', value: <code>{JSON.stringify(delivery.Override.Value)}</code> }]
            : []),
          {
            label: 'Delivery id',
            value: (
              <>
                <CopiedText>{delivery.Id}</CopiedText>
              </>
            ),
          },
        ]}
      />
    </Section>
  );
}

function AttemptsSection({ delivery }: { delivery: Delivery }) {
  const plugin = useList('plugins').data?.rows.find((each) => each.Name === delivery.Plugin);
  const entry = plugin && callbacksOf(plugin).find(({ action }) => action === delivery.Action);
  const { AttemptCount: count, Attempts: kept } = delivery;
  return (
    <Section title={count === 1 ? '1 attempt' : `${count.toLocaleString()} attempts`}>
      {kept.length < count ? (
        <p className="hint">
          The record keeps the first and the latest {kept.length - 1}; bodies of the first and the latest nine.
        </p>
      ) : null}
      {count === 0 ? <p className="hint">None was made yet.</p> : <Attempts attempts={kept} mode={entry?.mode} />}
    </Section>
  );
}

function Moment({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={iso}>
      {localTime(iso)}
    </time>
  );
}

/** The time, every second while somebody counts down. */
function useNow(active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
