/** Content layers (wire-format.md 10.2). */
import Type from 'typebox';
import { Content, ContentSummary, presentSchema } from '../../contract/models/index.ts';
import type { JsonObject } from '../../kit/json.ts';
import { masked, type Objects } from '../../objects/index.ts';
import { jsonObject } from '../body.ts';
import { type Context, created, flag, noContent, ok, type Route } from '../http.ts';

const packBody = (context: Context): JsonObject => jsonObject(context.json() ?? {}, 'A content pack');
const name = (context: Context): string => context.params['name'] ?? '';

/** A summary with the fields of the client's generation. */
function summaryFor(context: Context, summary: Awaited<ReturnType<Objects['putContent']>>): JsonObject {
  return presentSchema(ContentSummary, summary, context.shape);
}

export function contentRoutes(objects: Objects): Route[] {
  const tag = 'contents';
  const put = (context: Context, mode: 'create' | 'update') =>
    objects.putContent(context.call, packBody(context), {
      mode,
      ...(mode === 'update' ? { name: name(context) } : {}),
      replaceWritable: flag(context.query['replaceWritable']),
    });
  return [
    {
      method: 'GET',
      path: '/contents',
      tag,
      summary: 'Content layers, top to bottom',
      answer: { status: 200, schema: Type.Array(ContentSummary) },
      handler: (context) => ok(objects.listContents(context.call).map((one) => summaryFor(context, one))),
    },
    {
      method: 'GET',
      path: '/contents/:name',
      tag,
      summary: 'One content layer with its objects',
      answer: { status: 200, schema: Content },
      handler: (context) =>
        ok(
          presentSchema(
            Content,
            objects.getContent(
              context.call,
              name(context),
              (prefix, value) => masked(prefix, value, context.shape) as JsonObject,
            ),
            context.shape,
          ),
        ),
    },
    {
      method: 'POST',
      path: '/contents',
      tag,
      summary: 'Adds a content layer',
      query: { replaceWritable: 'Writable objects that the layer provides too give way' },
      body: Content,
      answer: { status: 201, schema: ContentSummary },
      handler: async (context) => created(summaryFor(context, await put(context, 'create'))),
    },
    {
      method: 'PUT',
      path: '/contents/:name',
      tag,
      summary: 'Replaces a content layer',
      query: { replaceWritable: 'Writable objects that the layer provides too give way' },
      body: Content,
      answer: { status: 200, schema: ContentSummary },
      handler: async (context) => ok(summaryFor(context, await put(context, 'update'))),
    },
    {
      method: 'DELETE',
      path: '/contents/:name',
      tag,
      summary: 'Removes a content layer and its objects',
      answer: { status: 204 },
      async handler(context) {
        await objects.removeContent(context.call, name(context));
        return noContent;
      },
    },
  ];
}
