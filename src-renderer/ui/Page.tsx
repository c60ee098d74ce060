import type { ReactNode } from 'react';
import classes from './Page.module.css';

interface PageProps {
  readonly title: string;
  readonly intro: string;
  readonly children: ReactNode;
}

/** A screen that is not a list: heading, one sentence, cards that stand side by side where there is room. */
export function Page({ title, intro, children }: PageProps) {
  return (
    <div className={classes['page']}>
      <div className={classes['head']}>
        <h1>{title}</h1>
        <p>{intro}</p>
      </div>
      <div className={classes['cards']}>{children}</div>
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, aside, children }: CardProps) {
  return (
    <section className={classes['card']} aria-label={title}>
      <div className={classes['cardHead']}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
