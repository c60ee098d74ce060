import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconLicense,
  IconPlugConnectedX,
  IconRefresh,
  IconSend2,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useStore } from 'zustand';
import { liveMode } from '../api/live.ts';
import { useHost } from '../api/queries.ts';
import { linkTo } from '../paths.ts';
import classes from './StatusStrip.module.css';
import { clockSkewSeconds, describeService } from './service-state.ts';

const ICONS = { ok: IconCircleCheck, pending: IconClock, danger: IconCircleX, off: IconPlugConnectedX } as const;
/** A difference of clocks that already confuses expiry times, in seconds. */
const SKEW_SHOWN = 30;

/** Always at the lower edge: server, license, outbox, clock. */
export function StatusStrip() {
  const host = useHost();
  const mode = useStore(liveMode, (s) => s.mode);
  const state = describeService(host.data, host.isError);
  const Icon = ICONS[state.tone];
  const data = host.data;
  const skew = data ? clockSkewSeconds(data.time, host.dataUpdatedAt) : 0;
  return (
    <footer className={classes['strip']} data-region tabIndex={-1}>
      <h2 className={classes['heading']}>Server status</h2>
      <span className={classes['item']} data-tone={state.tone} data-testid="server-state">
        <Icon size={14} aria-hidden />
        <b>{state.word}</b>
        {data ? (
          <span className={classes['address']}>
            {data.url.replace(/^https:\/\//, '').replace(/\/(ui\/?)?$/, '')} · {data.product} {data.version}
          </span>
        ) : null}
      </span>
      {data ? (
        <>
          <span className={classes['item']}>
            <IconLicense size={14} aria-hidden />
            {data.features.includes('rbac') ? 'rbac on' : 'rbac off: roles and tenants are read-only'}
            {data.labLicense ? <em className={classes['lab']}>lab license</em> : null}
          </span>
          <Link {...linkTo('deliveries')} className={classes['item']}>
            <IconSend2 size={14} aria-hidden />
            Outbox: {data.deliveries.waiting} waiting, {data.deliveries.held} held, {data.deliveries.failed} failed
          </Link>
        </>
      ) : null}
      {Math.abs(skew) > SKEW_SHOWN ? (
        <span className={classes['item']} data-tone="danger">
          <IconAlertTriangle size={14} aria-hidden />
          Clock differs by {Math.abs(skew)} s
        </span>
      ) : null}
      <span className={classes['end']}>
        {mode === 'polling' ? (
          <span className={classes['item']}>
            <IconRefresh size={14} aria-hidden />
            Refreshes every 15 s
          </span>
        ) : null}
      </span>
    </footer>
  );
}
