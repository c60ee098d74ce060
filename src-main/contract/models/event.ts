/** Events, log lines, blobs and sealed values (wire-format.md 4.21). */
import Type from 'typebox';
import { anything, bytes, flag, integer, listOf, text, time, v4 } from './fields.ts';

export const Event = Type.Object(
  {
    Time: time(),
    Type: text(),
    Action: text(),
    Key: text(),
    Object: anything(),
    Principal: text({ ...v4 }),
    Original: anything({ ...v4 }),
  },
  { title: 'Event' },
);
export type Event = Type.Static<typeof Event>;

export const LogLine = Type.Object(
  {
    Group: integer(),
    Seq: integer(),
    Time: time(),
    File: text(),
    Line: integer(),
    Level: text(),
    Service: text(),
    Message: text(),
    Data: listOf(Type.Unknown()),
    IgnorePublish: flag(),
  },
  { title: 'Line' },
);
export type LogLine = Type.Static<typeof LogLine>;

/** Answer to the upload of a file or an iso. */
export const BlobInfo = Type.Object({ Path: text(), Size: integer() }, { title: 'BlobInfo' });
export type BlobInfo = Type.Static<typeof BlobInfo>;

/** A value sealed to an object: key 32 bytes, nonce 24, payload 16 more than the clear text. */
export const SecureData = Type.Object({ Key: bytes(), Nonce: bytes(), Payload: bytes() }, { title: 'SecureData' });
export type SecureData = Type.Static<typeof SecureData>;

/** The error body (wire-format.md 2.1), with the additive `Reason` and `RequestId`. */
export const ErrorAnswer = Type.Object(
  {
    Model: text(),
    Key: text(),
    Type: text(),
    Messages: listOf(Type.String()),
    Code: integer(),
    Reason: Type.Optional(text({ 'x-omit-empty': true, description: 'What kind of refusal it is.' })),
    RequestId: Type.Optional(
      text({ 'x-omit-empty': true, description: 'Names the request in the log and the audit.' }),
    ),
  },
  { title: 'Error' },
);
