/** From a thrown error to what a notice shows. */
import { curlOf } from '../../api/curl.ts';
import { ApiError, explain } from '../../api/errors.ts';
import type { NoticeContent, NoticeTone } from '../../ui/Notice.tsx';

export function noticeOf(error: unknown): NoticeContent {
  if (!(error instanceof ApiError)) {
    return {
      title: 'This screen failed',
      lines: [error instanceof Error ? error.message : String(error)],
      hint: 'Reload the page. If it happens again, report it with the steps that led here.',
    };
  }
  const { title, lines, hint } = explain(error.failure);
  return { title, lines, hint, requestId: error.requestId, curl: curlOf(location.origin, error.request) };
}

export function toneOf(error: unknown): NoticeTone {
  if (!(error instanceof ApiError)) return 'danger';
  const kind = error.failure.kind;
  if (kind === 'denied' || kind === 'license') return 'locked';
  return kind === 'conflict' || kind === 'throttled' || kind === 'exists' ? 'warn' : 'danger';
}
