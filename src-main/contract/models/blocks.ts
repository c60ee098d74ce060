/** Blocks of fields that several models share (wire-format.md 4, "Common embedded blocks"). */
import Type from 'typebox';
import { flag, listOf, managed, mapOf, meta, text, texts, v4 } from './fields.ts';

/** Whether the object is structurally sound, usable, and why not. */
export const validation = {
  Validated: flag({ ...managed, description: 'Structural checks passed.' }),
  Available: flag({ ...managed, description: 'All references resolve; the object is usable.' }),
  Errors: texts({ ...managed, description: 'Why the object is not available.' }),
};

export const access = {
  ReadOnly: flag({ ...managed, description: 'Comes from a content layer and cannot be written.' }),
};

/** Where the object comes from; only release 4 knows. */
export const origin = {
  Endpoint: text({ ...managed, ...v4, description: 'Owning endpoint; empty when it is this one.' }),
  Bundle: text({ ...managed, ...v4, description: 'Content layer that provides the object.' }),
};

export const partial = {
  Partial: flag({ ...managed, ...v4, description: 'The answer leaves out Params or Meta.' }),
};

/** What every stored object has. */
export const stored = { ...validation, ...access, Meta: meta(), ...origin };

export const documented = { Description: text(), Documentation: text() };

export const TemplateInfo = Type.Object(
  {
    Name: text(),
    Path: text(),
    ID: text(),
    Contents: text(),
    Link: text({ ...v4 }),
    Meta: mapOf(Type.String(), { ...v4 }),
  },
  { title: 'TemplateInfo' },
);
export type TemplateInfo = Type.Static<typeof TemplateInfo>;

export const templates = () => listOf(TemplateInfo);

export const DhcpOption = Type.Object(
  {
    Code: Type.Integer({ default: 0, minimum: 0, maximum: 255, 'x-go': 'uint8' }),
    Value: text(),
  },
  { title: 'DhcpOption' },
);
export type DhcpOption = Type.Static<typeof DhcpOption>;

/** The one model with lower-case field names. */
export const Claim = Type.Object(
  { scope: text(), action: text(), specific: text() },
  { title: 'Claim', 'x-go': '*models.Claim' },
);
export type Claim = Type.Static<typeof Claim>;
