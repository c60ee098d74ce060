/** Names of files and isos as clients send them: relative paths below one root, and nothing else. Pure. */

const MAX_SEGMENT_BYTES = 255;
const MAX_PATH_BYTES = 1024;
/** Unfinished uploads stand beside the files under names no client may use. */
export const UPLOAD_PREFIX = '.upload-';

const WINDOWS_NAMES = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;

type BlobPath =
  | { readonly ok: true; readonly segments: readonly string[] }
  | { readonly ok: false; readonly reason: string };

function segmentFault(segment: string): string | undefined {
  if (segment === '') return 'has an empty part';
  if (segment === '.' || segment === '..') return `has the part '${segment}'`;
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a part over ${MAX_SEGMENT_BYTES} bytes`;
  for (const char of segment) {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f) return 'has a control character';
    // Separators and stream names on Windows; refused everywhere so that a directory can be moved.
    if ('\\:*?"<>|'.includes(char)) return `has the character '${char}'`;
  }
  if (/[. ]$/.test(segment)) return 'has a part that ends in a dot or a blank';
  return WINDOWS_NAMES.test(segment) ? `has the reserved name '${segment}'` : undefined;
}

/** Reads a path; leading slashes mean nothing. */
export function readBlobPath(text: string): BlobPath {
  const path = text.replace(/^\/+/, '');
  if (path === '') return { ok: false, reason: 'is empty' };
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return { ok: false, reason: `is longer than ${MAX_PATH_BYTES} bytes` };
  const segments = path.split('/');
  if (segments[0]?.startsWith(UPLOAD_PREFIX)) return { ok: false, reason: `starts with ${UPLOAD_PREFIX}` };
  for (const segment of segments) {
    const fault = segmentFault(segment);
    if (fault) return { ok: false, reason: fault };
  }
  return { ok: true, segments };
}
