import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { answerSchema, blank, MODELS, PREFIXES, present, requestSchema } from './index.ts';

const fits = (schema: object, value: unknown): boolean => Check(schema as TSchema, value);

describe.each(PREFIXES)('the schemas of %s', (prefix) => {
  const definition = MODELS[prefix];

  test.each(['v3', 'v4'] as const)('describe what is answered in the shape %s', (shape) => {
    const schema = answerSchema(definition.schema, shape);
    const shown = present(definition, blank(definition), shape);
    expect(fits(schema, shown)).toBe(true);
    expect(schema['required']).toEqual(Object.keys(shown));
    expect(JSON.stringify(schema)).not.toContain('"x-');
  });

  test('take back what was answered, nothing at all, and null for every field', () => {
    const schema = requestSchema(definition.schema);
    expect(fits(schema, present(definition, blank(definition), 'v4'))).toBe(true);
    expect(fits(schema, {})).toBe(true);
    const nothing = Object.fromEntries(Object.keys(definition.schema.properties).map((name) => [name, null]));
    expect(fits(schema, nothing)).toBe(true);
  });
});

test('a hash may be sent and is never answered', () => {
  expect(requestSchema(MODELS.users.schema)['properties']).toHaveProperty('PasswordHash');
  expect(answerSchema(MODELS.users.schema, 'v4')['properties']).not.toHaveProperty('PasswordHash');
});

test('a value of the wrong kind does not fit', () => {
  expect(fits(requestSchema(MODELS.machines.schema), { Name: 5 })).toBe(false);
  expect(fits(requestSchema(MODELS.machines.schema), { Fingerprint: { MemoryIds: 'x' } })).toBe(false);
});
