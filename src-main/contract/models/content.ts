/** Content packs and their summaries (wire-format.md 4.19). Keys are lower-case where the wire has them so. */
import Type from 'typebox';
import { flag, integer, managed, mapOf, text, texts, v4 } from './fields.ts';

export const ContentMeta = Type.Object(
  {
    Name: text(),
    Source: text(),
    Description: text(),
    Version: text(),
    Documentation: text(),
    Writable: flag({ ...managed }),
    Overwritable: flag({ ...managed }),
    Type: text({ ...managed, description: 'writable, local, dynamic, default, plugin or basic.' }),
    RequiredFeatures: text({ ...v4 }),
    Prerequisites: text({ ...v4 }),
    Color: text({ ...v4 }),
    Icon: text({ ...v4 }),
    Author: text({ ...v4 }),
    DisplayName: text({ ...v4 }),
    License: text({ ...v4 }),
    Copyright: text({ ...v4 }),
    CodeSource: text({ ...v4 }),
    Order: text({ ...v4 }),
    Tags: text({ ...v4 }),
    DocUrl: text({ ...v4 }),
  },
  { title: 'ContentMetaData' },
);
export type ContentMeta = Type.Static<typeof ContentMeta>;

export const Content = Type.Object(
  {
    meta: ContentMeta,
    sections: mapOf(mapOf(Type.Unknown(), { 'x-go': 'models.Section' }), { 'x-go': 'models.Sections' }),
  },
  { title: 'Content' },
);
export type Content = Type.Static<typeof Content>;

export const ContentSummary = Type.Object(
  { meta: ContentMeta, Counts: mapOf(integer()), Warnings: texts() },
  { title: 'ContentSummary' },
);
export type ContentSummary = Type.Static<typeof ContentSummary>;
