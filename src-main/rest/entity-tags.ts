/** Entity tags of conditional requests (RFC 9110, 8.8.3 and 13.1): lists, weak ones and `*`. Pure. */
import type { RevisionMatch } from '../objects/index.ts';

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Tags of a header without their weakness: what is the same to a cache is the same to us. `*` is every tag. */
function readTags(header: string): '*' | readonly string[] {
  return header.trim() === '*' ? '*' : (header.match(TAG) ?? []).map((tag) => tag.replace(/^W\//, ''));
}

/** True when If-None-Match names the tag of what is there: the client has it already. */
export function isKnownTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = readTags(header);
  return tags === '*' || tags.includes(tag);
}

/** If-Match as the revisions one of which must be current; undefined: any will do. */
export function revisionMatch(header: string | undefined): RevisionMatch | undefined {
  if (header === undefined) return undefined;
  const tags = readTags(header);
  if (tags === '*') return undefined;
  // What is no tag of ours can never match.
  const revisions = tags.flatMap((tag) => /^"(\d{1,15})"$/.exec(tag)?.[1] ?? []).map(Number);
  return { revisions, text: header.trim() };
}
