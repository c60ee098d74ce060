/**
 * Builders for the fields of a model. A field carries what the wire tables say about it: its Fill value (`default`),
 * which shape has it (`x-shape`), whether an empty one is left out (`x-omit-empty`), whether it is ever sent
 * (`writeOnly`), and its name in error texts (`x-go`). Everything else about decoding and output is read off the schema.
 */
import Type, { type TSchema, type TSchemaOptions } from 'typebox';

/** Which set of fields a client is served: `v3` exactly the fields of release 3.9, `v4` those of 4.8. */
export type Shape = 'v3' | 'v4';

/** Options of a field; the keys with `x-` are ours. */
export interface FieldOptions extends TSchemaOptions {
  /** Only this shape has the field; both have it when absent. */
  readonly 'x-shape'?: Shape;
  /** The field is left out of answers while it is empty. */
  readonly 'x-omit-empty'?: true;
  /** Type name in the sentence about a value of the wrong kind. */
  readonly 'x-go'?: string;
  /** Text of a special form, checked and canonicalised on input. */
  readonly 'x-form'?: TextForm;
}

/** `bytes` is standard base64; an unset uuid or ip is the empty string. */
export type TextForm = 'uuid' | 'ip' | 'time' | 'bytes';

/** A field that only release 4 knows. */
export const v4 = { 'x-shape': 'v4' } as const satisfies FieldOptions;
/** A field that the server manages; ignored on input. */
export const managed = { readOnly: true } as const satisfies FieldOptions;

/** Unset value of a time. */
export const ZERO_TIME = '0001-01-01T00:00:00Z';
/** `Job.Previous` when there is none. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

export const text = (options: FieldOptions = {}) => Type.String({ default: '', ...options });
export const flag = (options: FieldOptions = {}) => Type.Boolean({ default: false, ...options });
export const integer = (options: FieldOptions = {}) => Type.Integer({ default: 0, ...options });
export const anything = (options: FieldOptions = {}) => Type.Unknown({ default: null, ...options });

export const uuid = (options: FieldOptions = {}) => text({ 'x-form': 'uuid', 'x-go': 'uuid.UUID', ...options });
export const ip = (options: FieldOptions = {}) => text({ 'x-form': 'ip', 'x-go': 'net.IP', ...options });
export const bytes = (options: FieldOptions = {}) => text({ 'x-form': 'bytes', 'x-go': '[]uint8', ...options });
export const time = (options: FieldOptions = {}) =>
  Type.String({ default: ZERO_TIME, format: 'date-time', 'x-form': 'time', 'x-go': 'time.Time', ...options });

export function listOf<T extends TSchema>(item: T, options: FieldOptions = {}) {
  return Type.Array(item, { default: [], ...options });
}

/** A map with free keys, kept verbatim. */
export function mapOf<T extends TSchema>(value: T, options: FieldOptions = {}) {
  return Type.Record(Type.String(), value, { default: {}, ...options });
}

/** A list or map that answers may show as null. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()], { default: null });
}

export const texts = (options: FieldOptions = {}) => listOf(Type.String(), options);
export const params = (options: FieldOptions = {}) => mapOf(Type.Unknown(), options);
export const meta = (options: FieldOptions = {}) => mapOf(Type.String(), { 'x-go': 'models.Meta', ...options });
