/** Files and isos (wire-format.md 12.2): lists, downloads with ranges, uploads as streams. */
import Type from 'typebox';
import { Problem } from '../../contract/errors.ts';
import { BlobInfo } from '../../contract/models/index.ts';
import type { Blobs } from '../../objects/index.ts';
import { readByteRange } from '../byte-range.ts';
import { isKnownTag } from '../entity-tags.ts';
import { type Answer, type Context, created, flag, noContent, ok, one, type Route } from '../http.ts';

const OCTETS = 'application/octet-stream';

const pathOf = (context: Context): string => (context.params['*'] ?? '').replace(/^\/+/, '');
const tagOf = (sha256: string): string => `"SHA256:${sha256}"`;

function tagHeaders(sha256: string | undefined): Record<string, string> {
  return sha256 === undefined ? {} : { ETag: tagOf(sha256), 'X-DRP-SHA256SUM': sha256 };
}

function isKnown(context: Context, sha256: string | undefined): boolean {
  return sha256 !== undefined && isKnownTag(context.headers['if-none-match'], tagOf(sha256));
}

async function describe(blobs: Blobs, context: Context): Promise<Answer> {
  const { size, sha256 } = await blobs.describe(context.call, pathOf(context));
  const headers = { ...tagHeaders(sha256), 'Content-Length': String(size), 'Accept-Ranges': 'bytes' };
  return { status: isKnown(context, sha256) ? 304 : 200, headers, contentType: OCTETS };
}

async function download(blobs: Blobs, context: Context): Promise<Answer> {
  const blob = await blobs.open(context.call, pathOf(context));
  const { size, sha256 } = blob;
  const headers = { ...tagHeaders(sha256), 'Accept-Ranges': 'bytes' };
  const asked = context.headers['if-range'];
  // A range of another version of the file would not fit to what the client has.
  const range =
    asked === undefined || (sha256 !== undefined && asked === tagOf(sha256))
      ? readByteRange(context.headers.range, size)
      : ({ kind: 'whole' } as const);
  if (isKnown(context, sha256)) {
    await blob.close();
    return { status: 304, headers };
  }
  switch (range.kind) {
    case 'unsatisfiable':
      await blob.close();
      throw new Problem('bad-request', `The file has ${size} bytes`, {
        model: blobs.kind.scope,
        key: pathOf(context),
        status: 416,
      });
    case 'part': {
      const { start, end } = range;
      return {
        status: 206,
        contentType: OCTETS,
        headers: {
          ...headers,
          'Content-Range': `bytes ${start}-${end}/${size}`,
          'Content-Length': String(end - start + 1),
        },
        chunks: blob.read(start, end),
      };
    }
    case 'whole':
      if (size === 0) {
        await blob.close();
        return { status: 200, contentType: OCTETS, headers, body: Buffer.alloc(0) };
      }
      return {
        status: 200,
        contentType: OCTETS,
        headers: { ...headers, 'Content-Length': String(size) },
        chunks: blob.read(0, size - 1),
      };
  }
}

async function upload(blobs: Blobs, context: Context): Promise<Answer> {
  const type = context.headers['content-type'] ?? '';
  if (!type.toLowerCase().includes(OCTETS)) throw new Problem('wrong-content-type', `Invalid content type: ${type}`);
  if (flag(context.query['explode']))
    throw new Problem('bad-request', 'Archives are not unpacked here: upload their files one by one', {
      model: blobs.kind.scope,
      key: pathOf(context),
    });
  const length = context.headers['content-length'];
  return created(
    await blobs.store(context.call, pathOf(context), context.stream, length === undefined ? undefined : Number(length)),
  );
}

export function fileRoutes(kinds: readonly Blobs[]): Route[] {
  return kinds.flatMap((blobs): Route[] => {
    const { scope: tag } = blobs.kind;
    return [
      {
        method: 'GET',
        path: `/${tag}`,
        tag,
        summary: `Names of ${tag}; those of directories end in a slash`,
        query: { path: 'Directory to list; default: the top' },
        answer: { status: 200, schema: Type.Array(Type.String()) },
        handler: async (context) => ok(await blobs.list(context.call, one(context.query['path']) ?? '')),
      },
      {
        method: 'GET',
        path: `/${tag}/*`,
        tag,
        summary: 'Content of a file; takes a Range',
        answer: { status: 200, type: OCTETS },
        handler: (context) => download(blobs, context),
      },
      {
        method: 'HEAD',
        path: `/${tag}/*`,
        tag,
        summary: 'Size and SHA-256 of a file',
        answer: { status: 200 },
        handler: (context) => describe(blobs, context),
      },
      {
        method: 'POST',
        path: `/${tag}/*`,
        tag,
        summary: 'Stores a file, whole or not at all',
        upload: true,
        answer: { status: 201, schema: BlobInfo },
        handler: (context) => upload(blobs, context),
      },
      {
        method: 'DELETE',
        path: `/${tag}/*`,
        tag,
        summary: 'Removes a file or an empty directory',
        answer: { status: 204 },
        async handler(context) {
          await blobs.remove(context.call, pathOf(context));
          return noContent;
        },
      },
    ];
  });
}
