import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTemplate, TemplateError } from './index.ts';
import { recordedMachineDot } from './recorded-machine.ts';
import file from './vectors/go-template.json' with { type: 'json' };

const SEED = 20261121;
const LIMITS = { steps: 20_000, outputLength: 200_000 };
const dots: readonly unknown[] = [
  ...Object.values(file.data),
  ...Object.values(file.machines).map((m) => recordedMachineDot(m)),
];

const fragments = fc.constantFrom(
  ...[
    '{{',
    '}}',
    '{{- ',
    ' -}}',
    ' ',
    '"',
    '`',
    "'",
    '.',
    '$',
    '$x',
    ' := ',
    ' = ',
    ' | ',
    '(',
    ')',
    ',',
    '\n',
    '\\',
    '😀',
  ],
  ...[
    'range',
    'if',
    'else',
    'end',
    'with',
    'define',
    'template',
    'block',
    'break',
    'continue',
    'nil',
    'true',
    '/*',
    '*/',
  ],
  ...['index', 'slice', 'len', 'print', 'printf', 'html', 'js', 'urlquery', 'eq', 'lt', 'and', 'or', 'not', 'call'],
  ...[
    '.s',
    '.list',
    '.m.k',
    '.users',
    '.nil',
    '.Machine',
    '.Param',
    '.Info',
    '.ParamExpand "tmpl-nested"',
    '.GetAuthString "tok"',
  ],
  ...[
    '1',
    '-7',
    '0x1p4',
    '1e400',
    '1i',
    '"%[1]*.[2]*v"',
    '"%99999d"',
    "'\\x41'",
    '{{range .}}',
    '{{end}}',
    '{{template "T" .}}',
  ],
  '{{define "T"}}{{template "T" .}}{{end}}',
);
const mutated = fc
  .tuple(fc.constantFrom(...file.vectors.map((vector) => vector.template)), fc.nat(60), fc.nat(4), fragments)
  .map(([text, at, drop, insert]) => text.slice(0, at) + insert + text.slice(at + drop));
const templates = fc.oneof(
  fc.array(fragments, { maxLength: 25 }).map((parts) => parts.join('')),
  mutated,
  fc.string({ unit: 'binary' }),
);

/** True when rendering ended with output or with a template error, and nothing else. */
function endsWell(text: string, dot: unknown): boolean {
  try {
    const template = parseTemplate(text);
    template.renderBytes(dot, { limits: LIMITS });
    return template.render(dot, { limits: LIMITS }).isWellFormed();
  } catch (error) {
    if (error instanceof TemplateError) return error.message.isWellFormed() && error.line >= 0;
    throw error;
  }
}

describe('random templates', () => {
  test('end with output or a template error, whatever they say', () => {
    fc.assert(
      fc.property(templates, fc.constantFrom(...dots), (text, dot) => endsWell(text, dot)),
      { seed: SEED, numRuns: 4000 },
    );
  });

  test('print any data', () => {
    const template = parseTemplate(
      '{{.}}{{printf "%v %+v %#v %q %x %d %T" . . . . . . .}}{{html .}}{{js .}}{{urlquery .}}',
    );
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (dot) => template.render(dot).isWellFormed()),
      { seed: SEED, numRuns: 500 },
    );
  });

  test('print by the fast lane what they print without it', () => {
    const key = fc.constantFrom('a', 'b', 'a.b', 'b.a.b', 'constructor', '__proto__');
    const part = fc.oneof(
      fc.constantFrom('text', '"\\', '$x', '\u2028'),
      key.map((name) => `{{.${name}}}`),
      fc.tuple(key, key).map(([test, shown]) => `{{if .${test}}}<{{.${shown}}}>{{else}}-{{end}}`),
    );
    const leaf = fc.constantFrom<unknown>('x', '', '\udc80', true, false, null, 0, undefined);
    const { dot } = fc.letrec((tie) => ({
      dot: fc.record({ a: tie('value'), b: tie('value') }, { requiredKeys: [] }),
      value: fc.oneof({ maxDepth: 2 }, leaf, tie('dot')),
    }));
    const missingKeys = fc.constantFrom('default', 'zero', 'error');
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        missingKeys,
        fc.array(dot),
        (parts, missingKey, dots) => {
          const template = parseTemplate(parts.join(''), { missingKey });
          for (let i = 0; i < 205; i++) attempt(() => template.render({ a: 'x', b: 'y' }));
          for (const one of dots) {
            expect(attempt(() => template.render(one))).toBe(
              attempt(() => Buffer.from(template.renderBytes(one)).toString()),
            );
          }
        },
      ),
      { seed: SEED, numRuns: 400 },
    );
  });

  test('mean the same on the second rendering', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const once = outcome(text);
        expect(outcome(text)).toEqual(once);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});

function outcome(text: string): string {
  return attempt(() => parseTemplate(text).render(file.data.std, { limits: LIMITS }));
}

function attempt(render: () => string): string {
  try {
    return render();
  } catch (error) {
    return (error as Error).message;
  }
}
