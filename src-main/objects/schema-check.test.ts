import { describe, expect, it } from 'vitest';
import type { Json } from '../kit/json.ts';
import { createSchemaChecker } from './schema-check.ts';

const problems = (schema: Json, value: Json): readonly string[] => {
  const compiled = createSchemaChecker().compile(schema);
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.problems(value);
};
const reason = (schema: Json): string | undefined => {
  const compiled = createSchemaChecker().compile(schema);
  return compiled.ok ? undefined : compiled.reason;
};

describe('patterns', () => {
  it('that would backtrack for years answer at once', () => {
    for (const pattern of ['^(a+)+$', '(a|a)*b', '(.*a){20}b'])
      expect(problems({ pattern }, `${'a'.repeat(5_000)}!`)).toEqual([`(root): Does not match pattern '${pattern}'`]);
    expect(problems({ patternProperties: { '^(a+)+$': { type: 'string' } } }, { [`${'a'.repeat(50)}!`]: 1 })).toEqual(
      [],
    );
  });
  it('match as they say', () => {
    expect(problems({ pattern: '^[a-z0-9-]{1,255}$' }, 'a-host')).toEqual([]);
    expect(problems({ pattern: '^[a-z0-9-]{1,255}$' }, 'a'.repeat(256))).toHaveLength(1);
    expect(problems({ pattern: '(?i)^abc' }, 'ABCD')).toEqual([]);
    expect(problems({ pattern: '^-----BEGIN' }, `-----BEGIN ${'x'.repeat(100_000)}`)).toEqual([]);
  });
  it('of one schema are told apart', () => {
    const schema = { properties: { a: { pattern: '^a' }, b: { pattern: '^b' } } };
    expect(problems(schema, { a: 'a', b: 'b' })).toEqual([]);
    expect(problems(schema, { a: 'b', b: 'a' })).toEqual([
      "a: Does not match pattern '^a'",
      "b: Does not match pattern '^b'",
    ]);
  });
  it('that are none make no schema', () => {
    expect(reason({ pattern: '[' })).toBe("pattern '[': the pattern ends too early");
    expect(reason({ pattern: '(?=a)' })).toMatch(/^pattern '\(\?=a\)': /);
  });
});

describe('references', () => {
  it('of a schema to itself alone make no schema', () => {
    expect(reason({ $ref: '#' })).toBe('the schema refers to itself without end');
  });
  it('that never end for objects do not end the check either', () => {
    const schema = { type: ['object', 'null'], dependencies: { a: { $ref: '#' } } };
    expect(problems(schema, null)).toEqual([]);
    expect(problems(schema, { a: 1 })).toEqual(['(root): the schema refers to itself without end']);
  });
  it('into the value are followed as deep as it goes', () => {
    expect(problems({ additionalProperties: { $ref: '#' } }, { a: { b: { c: {} } } })).toEqual([]);
  });
  it('to other places are not fetched', () => {
    expect(reason({ $ref: 'http://127.0.0.1:1/x.json' })).toContain("can't resolve reference");
    expect(reason({ $ref: 'file:///etc/passwd' })).toContain("can't resolve reference");
  });
});

describe('size', () => {
  it('a schema of very many parts is refused, and says so', () => {
    const many = Array.from({ length: 30 }, () => ({ type: 'string' }));
    expect(reason({ anyOf: many.map(() => ({ anyOf: many.map(() => ({ anyOf: many })) })) })).toBe(
      'the schema has too many parts',
    );
  });
  it('all problems of a small value are told', () => {
    const schema = { required: ['a', 'b'], properties: { c: { type: 'string' } } };
    expect(problems(schema, { c: 1 })).toEqual([
      '(root): a is required',
      '(root): b is required',
      'c: Invalid type. Expected: string, given: integer',
    ]);
  });
  it('of a large value at least one, and never a flood', () => {
    const list = Array.from({ length: 300 }, () => 1);
    expect(problems({ items: { type: 'string' } }, list)).toHaveLength(50);
    const long = Array.from({ length: 200_000 }, () => 1);
    expect(problems({ items: { type: 'string' } }, long)).toEqual([
      '0: Invalid type. Expected: string, given: integer',
    ]);
  });
});

describe('wording', () => {
  it.each<[schema: Json, value: Json, ...sentences: string[]]>([
    [{ type: ['string', 'null'] }, 5, 'Invalid type. Expected: [string,null], given: integer'],
    [{ type: ['string'] }, 5, 'Invalid type. Expected: string, given: integer'],
    [{ minimum: 1 }, 0, 'Must be greater than or equal to 1'],
    [{ minimum: 1, exclusiveMinimum: true }, 1, 'Must be greater than 1'],
    [{ maximum: 5 }, 6, 'Must be less than or equal to 5'],
    [{ maximum: 5, exclusiveMaximum: true }, 5, 'Must be less than 5'],
    [{ multipleOf: 2 }, 3, 'Must be a multiple of 2'],
    [{ dependencies: { a: ['b', 'c'] } }, { a: 1 }, 'Has a dependency on b', 'Has a dependency on c'],
    [{ items: [{}], additionalItems: false }, [1, 2], 'No additional items allowed on array'],
    [{ minProperties: 2 }, {}, 'Must have at least 2 properties'],
    [{ maxProperties: 0 }, { a: 1 }, 'Must have at most 0 properties'],
  ])('%j: %j', (schema, value, ...sentences) => {
    expect(problems(schema, value)).toEqual(sentences.map((sentence) => `(root): ${sentence}`));
  });
});
