import { useDocumentTitle } from '@mantine/hooks';
import { useHost } from '../../api/queries.ts';
import { DEFAULT_ADMINISTRATOR } from '../../api/session.ts';
import { Mark } from '../../ui/Mark.tsx';
import { Notice } from '../../ui/Notice.tsx';
import classes from './SignIn.module.css';
import { SignInForm } from './SignInForm.tsx';

export function SignInScreen() {
  const host = useHost();
  const service = host.data?.service;
  return (
    <Frame title="Sign in">
      {service && service.state !== 'running' ? (
        <Notice
          tone="warn"
          content={{
            title: `The service is ${service.state}`,
            lines: 'reason' in service ? [service.reason] : [],
            hint: 'Signing in works as soon as it runs.',
          }}
        />
      ) : null}
      {host.data?.defaultPassword ? (
        <Notice
          tone="info"
          content={{
            title: 'First start',
            lines: [`Sign in with the default administrator ${DEFAULT_ADMINISTRATOR}.`],
            hint: 'You choose a new password right after.',
          }}
        />
      ) : null}
      <SignInForm action="Sign in" />
    </Frame>
  );
}

/** The card in the middle of an empty window, with the server it belongs to at the bottom. */
export function Frame({ title, children }: { title: string; children: React.ReactNode }) {
  const host = useHost();
  useDocumentTitle(`${title} · Proviso`);
  return (
    <div className={classes['page']}>
      <main className={classes['card']}>
        <div className={classes['brand']}>
          <Mark size={36} />
          <span>Proviso</span>
        </div>
        <h1 className={classes['title']}>{title}</h1>
        <div className={classes['stack']}>{children}</div>
      </main>
      <footer className={classes['foot']}>
        {host.data
          ? `${new URL(host.data.url).host} · ${host.data.product} ${host.data.version}`
          : host.isError
            ? 'The server does not answer. Trying again every 5 s.'
            : 'Connecting'}
      </footer>
    </div>
  );
}
