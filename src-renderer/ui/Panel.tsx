import { ActionIcon, Tabs, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { CopyIcon } from './CopyButton.tsx';
import classes from './Panel.module.css';

export interface PanelTab {
  readonly id: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface PanelProps {
  readonly title: string;
  /** What kind of thing it is: "User". */
  readonly kind: string;
  readonly chips?: ReactNode;
  readonly actions?: ReactNode;
  readonly tabs: readonly PanelTab[];
  readonly tab: string | undefined;
  readonly onTab: (id: string) => void;
  readonly onClose: () => void;
  /** Sticks to the lower edge: the save bar. */
  readonly footer?: ReactNode;
}

/** The right panel: an object's detail beside its list. Esc closes; the list takes the focus back. */
export function Panel(props: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Opening another object moves the focus here, so that a screen reader says where it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title stands for the object
  useEffect(() => heading.current?.focus(), [props.title]);
  const tabs = props.tabs;
  const active = tabs.find((t) => t.id === props.tab)?.id ?? tabs[0]?.id ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) props.onClose();
  };
  return (
    <aside className={classes['panel']} aria-label={`${props.kind} ${props.title}`} onKeyDown={onKeyDown}>
      <header className={classes['head']}>
        <span className={classes['kind']}>{props.kind}</span>
        <div className={classes['actions']}>
          {props.actions}
          <Tooltip label="Close (Esc)">
            <ActionIcon aria-label="Close panel" onClick={props.onClose}>
              <IconX size={17} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </div>
        <div className={classes['names']}>
          <h2 ref={heading} tabIndex={-1} className={classes['title']}>
            {props.title}
          </h2>
          {props.chips ? <div className={classes['chips']}>{props.chips}</div> : null}
        </div>
      </header>
      <Tabs
        value={active}
        onChange={(id) => id && props.onTab(id)}
        className={classes['tabs'] ?? ''}
        variant="default"
        aria-label="Views"
      >
        <Tabs.List px={12}>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab.id} value={tab.id}>
              {tab.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((tab) => (
          <Tabs.Panel key={tab.id} value={tab.id} className={classes['body'] ?? ''}>
            {tab.content}
          </Tabs.Panel>
        ))}
      </Tabs>
      {props.footer}
    </aside>
  );
}

/** A titled block inside a panel's form. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes['section']} aria-label={title}>
      <div className={classes['sectionHead']}>
        <h3>{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Facts nobody edits here: label and value. */
export function Facts({ rows }: { rows: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className={classes['facts']}>
      {rows.map((row) => (
        <div key={row.label}>
          <dt>{row.label}</dt>
          <dd>{row.value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** An identifier with its copy button, on one line. */
export function CopiedText({ children }: { children: string }) {
  return (
    <span className={classes['copied']}>
      <code>{children}</code>
      <CopyIcon text={children} label={`Copy ${children}`} />
    </span>
  );
}
