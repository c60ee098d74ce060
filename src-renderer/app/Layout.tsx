import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isTyping } from '../ui/typing.ts';
import classes from './Layout.module.css';
import { Rail } from './Rail.tsx';
import { ServiceBanner } from './ServiceBanner.tsx';
import { ShortcutSheet } from './ShortcutSheet.tsx';
import { StatusStrip } from './StatusStrip.tsx';
import { TopBar } from './TopBar.tsx';
import { useViewState } from './view-state.ts';

/** The frame around every screen: rail, top bar, content, status strip. */
export function Layout() {
  useFrameKeys();
  const collapsed = useViewState((state) => state.railCollapsed);
  return (
    <div className={classes['frame']} data-collapsed={collapsed || undefined}>
      <button type="button" className={classes['skip']} onClick={skipToContent}>
        Skip to content
      </button>
      <Rail />
      <div className={classes['column']}>
        <TopBar />
        <ServiceBanner />
        <main id="content" tabIndex={-1} className={classes['content']} data-region>
          <Outlet />
        </main>
      </div>
      <StatusStrip />
      <ShortcutSheet />
    </div>
  );
}

/** A button, because a plain `#content` link would be read as a route. */
function skipToContent() {
  document.getElementById('content')?.focus();
}

/** Keys of the frame: Ctrl/Cmd+B rail, F6 next region, `?` the sheet. */
function useFrameKeys() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { toggleRail, showShortcuts } = useViewState.getState();
      if ((event.ctrlKey || event.metaKey) && event.key === 'b') toggleRail();
      else if (event.key === 'F6') focusRegion(event.shiftKey ? -1 : 1);
      else if (event.key === '?' && !isTyping(event.target)) showShortcuts(true);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** Rail, list, panel, status strip: the first focusable thing of the next region takes the focus. */
function focusRegion(step: 1 | -1) {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region], [role="grid"], aside')];
  const here = regions.findLastIndex((region) => region.contains(document.activeElement));
  const next = regions[(here + step + regions.length) % regions.length];
  const target = next?.matches('[tabindex]') ? next : next?.querySelector<HTMLElement>('a, button, [tabindex]');
  target?.focus();
}
