import { describe, expect, test } from 'vitest';
import { cachedTemplate, parseTemplate, TemplateError } from './index.ts';

function failure(render: () => unknown): TemplateError {
  try {
    render();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('did not fail');
}

describe('errors', () => {
  test('of parsing carry class, line and the column of the token', () => {
    const error = failure(() => parseTemplate('one\ntwo {{.x | }}{{nope}}', { name: 'mine' }));
    expect({ ...error, message: error.message }).toMatchObject({ class: 'parse', line: 2 });
    expect(error.message).toBe('template: mine:2: function "nope" not defined');
  });

  test('of execution carry line, byte column and what had been written', () => {
    const error = failure(() => parseTemplate('é\né{{.s}}{{.s.x}}').render({ s: 'ok' }));
    expect(error).toMatchObject({ class: 'exec', line: 2, column: 12, partial: 'é\néok' });
    expect(error.message).toContain('template: tmp:2:12: executing "tmp" at <.s.x>:');
  });
});

describe('the data', () => {
  test('is all a template can reach: inherited properties are missing keys', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
      const template = parseTemplate(
        `{{.${name}}}|{{index . "${name}"}}|{{.o.${name}}}|{{with .o}}{{.${name}.x}}{{end}}`,
      );
      for (let i = 0; i < 250; i++) expect(template.render({ o: {} })).toBe('<no value>|<no value>|<no value>|');
    }
  });

  test('has no lone surrogates, which would come out as raw bytes', () => {
    const dot = { text: 'a\udc80b', list: ['\udcff'], map: { 'k\udc80': '\ud800' } };
    const template = parseTemplate(
      '{{.text}} {{len .text}} {{index .list 0}} {{range $k, $v := .map}}{{$k}}={{$v}}{{end}}',
    );
    expect(Buffer.from(template.renderBytes(dot)).toString()).toBe('a\ufffdb 5 \ufffd k\ufffd=\ufffd');
  });

  test('may use such names as keys of its own', () => {
    const dot = JSON.parse('{"__proto__": {"a": 1}, "constructor": "c", "toString": "t"}') as unknown;
    expect(parseTemplate('{{.__proto__.a}} {{.constructor}} {{.toString}} {{len .}}').render(dot)).toBe('1 c t 3');
  });

  test('can be sliced up to the capacity Go gives a decoded list, where nil is', () => {
    for (const [length, capacity] of [
      [0, 0],
      [1, 1],
      [3, 4],
      [5, 8],
      [513, 848],
      [849, 1280],
      [3000, 3584],
    ] as const) {
      const dot = { l: Array(length).fill(7) };
      expect(parseTemplate(`{{len (slice .l 0 ${capacity})}}`).render(dot)).toBe(String(capacity));
      expect(() => parseTemplate(`{{slice .l 0 ${capacity + 1}}}`).render(dot)).toThrow('index out of range');
    }
    expect(parseTemplate('{{slice .l 1 4}}').render({ l: ['a', 'b', 'c'] })).toBe('[b c <nil>]');
  });

  test('may hold foreign values, which read as nil', () => {
    const dot = { f: () => 'called', d: new Date(0), s: Symbol('s'), u: undefined };
    expect(parseTemplate('{{.f}} {{.d}} {{.s}} {{.u}} {{printf "%v" .f}}').render(dot)).toBe(
      '<no value> <no value> <no value> <no value> <nil>',
    );
  });

  test('prints the same after many renderings, whatever its values are', () => {
    const template = parseTemplate('{{.a}}{{if .b}}-{{.c.d}}{{else}}+{{end}}');
    const dots = [
      { a: 'x', b: true, c: { d: 'y' } },
      { a: 'x' },
      { a: 1, b: 'yes', c: { d: null } },
      { a: '\ud800', b: '', c: 'text' },
      { a: 'x', b: [], c: {} },
      { a: 'x', b: [1], c: {} },
    ];
    const wanted = ['x-y', 'x+', '1-<no value>', '\ufffd+', 'x+', 'x-<no value>'];
    for (let i = 0; i < 300; i++) expect(dots.map((dot) => template.render(dot))).toEqual(wanted);
    expect(() => template.render({ a: 'x', b: true, c: 'text' })).toThrow(
      "can't evaluate field d in type interface {}",
    );
    expect(template.render(null)).toBe('<no value>+');
  });
});

describe('many renderings of a template', () => {
  test('change nothing about missing keys, whatever the option says', () => {
    const outcome = (template: ReturnType<typeof parseTemplate>, dot: unknown): string => {
      try {
        return template.render(dot);
      } catch (error) {
        return (error as Error).message;
      }
    };
    for (const missingKey of ['default', 'zero', 'error'] as const) {
      for (const text of ['{{if .x}}a{{else}}b{{end}}', '{{if .m.x}}a{{end}}{{.s}}', '{{.x}}', '{{.m.x}}']) {
        const template = parseTemplate(text, { missingKey });
        const dots = [
          { m: {}, s: 'text' },
          { x: 'set', m: { x: '' }, s: '' },
          { x: null, m: { x: null } },
        ];
        const first = dots.map((dot) => outcome(template, dot));
        for (let i = 0; i < 300; i++) expect(dots.map((dot) => outcome(template, dot))).toEqual(first);
      }
    }
  });
});

describe('limits', () => {
  const limited = (text: string, dot: unknown, limits: Parameters<typeof render>[2]): string =>
    failure(() => render(text, dot, limits)).message;
  const render = (text: string, dot: unknown, limits: { outputLength?: number; steps?: number; depth?: number }) =>
    parseTemplate(text).render(dot, { limits });

  test('stop output that grows too long, wherever it grows', () => {
    const bound = { outputLength: 1000 };
    for (const text of [
      '{{range .}}0123456789{{end}}',
      '{{$x := "x"}}{{range .}}{{$x = print $x $x}}{{end}}',
      '{{printf "%999999d" 1}}',
      '{{range .}}{{printf "%500d" 1}}{{end}}',
    ]) {
      expect(limited(text, Array(200).fill(0), bound)).toContain('output exceeds the limit of 1000 characters');
    }
  });

  test('refuse widths, precisions, indexes and ranges beyond measure with the words of Go', () => {
    const dot = { l: [1, 2, 3] };
    expect(parseTemplate('{{printf "%1000000000d|%.1000000000f" 1 1.5}}').render(dot)).toBe(
      '%!(NOVERB)%!(EXTRA int=1, float64=1.5)',
    );
    expect(parseTemplate('{{printf "%*d" 1000000000 1}}').render(dot)).toBe('%!(BADWIDTH)1');
    expect(limited('{{slice .l 0 1000000000}}', dot, {})).toContain('index out of range: 1000000000');
    expect(limited('{{index .l 9223372036854775807}}', dot, {})).toContain('index out of range: 9223372036854775807');
    expect(limited('{{range 1000000000}}x{{end}}', dot, {})).toContain("range can't iterate over 1000000000");
  });

  test('stop templates that run too long', () => {
    const nested = '{{range $.l}}{{range $.l}}{{range $.l}}{{range $.l}}{{end}}{{end}}{{end}}{{end}}';
    expect(limited(nested, { l: Array(100).fill(0) }, { steps: 10_000 })).toContain('exceeds the limit of 10000 steps');
    expect(limited('{{define "T"}}{{template "T"}}{{end}}{{template "T"}}', {}, { steps: 5000 })).toContain('steps');
  });

  test('stop endless template calls with the words of Go', () => {
    const message = limited('{{define "T"}}{{template "T" .}}{{end}}{{template "T" 1}}', {}, {});
    expect(message).toBe(
      'template: tmp:1:25: executing "T" at <{{template "T" .}}>: exceeded maximum template depth (100000)',
    );
    expect(limited('{{define "T"}}{{template "T"}}{{end}}{{template "T"}}', {}, { depth: 7 })).toContain('depth (7)');
  });

  test('let deep but finite recursion through', () => {
    const text = '{{define "T"}}{{if .}}{{slice . 0 1}}{{template "T" (slice . 1)}}{{end}}{{end}}{{template "T" .}}';
    expect(parseTemplate(text).render('abc'.repeat(2000))).toBe('abc'.repeat(2000));
  });

  test('refuse blocks and parentheses nested beyond measure', () => {
    for (const text of [
      `${'{{if .}}'.repeat(2000)}${'{{end}}'.repeat(2000)}`,
      `{{${'('.repeat(2000)}.${')'.repeat(2000)}}}`,
      `{{if .}}${'{{else if .}}'.repeat(2000)}{{end}}`,
    ]) {
      expect(failure(() => parseTemplate(text)).message).toContain('levels of nesting');
    }
    const nested = `${'{{if .}}'.repeat(400)}x${'{{end}}'.repeat(400)}`;
    expect(parseTemplate(nested).render(true)).toBe('x');
  });

  test('are not needed for long lines, long numbers and long white space, which cost no more than their length', () => {
    const many = 100_000;
    expect(parseTemplate('{{/* x */}}'.repeat(many)).render({})).toBe('');
    expect(parseTemplate(`{{${'0'.repeat(many)}7}}`).render({})).toBe('7');
    for (const number of [
      `0x${'f'.repeat(many)}`,
      `${'1'.repeat(many)}e`,
      `${'1'.repeat(many)}+${'1'.repeat(many)}ei`,
    ]) {
      expect(failure(() => parseTemplate(`{{${number}}}`)).class).toBe('parse');
    }
    const spaces = ' '.repeat(many);
    const text = `{{define "a"}}x${spaces}x{{end}}{{define "a"}}${spaces}{{end}}{{template "a"}}`;
    expect(parseTemplate(text).render({})).toBe(`x${spaces}x`);
  });

  test('count the keys of a map once, however often a template asks for them', () => {
    const dot = { m: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])), l: Array(1000).fill(0) };
    expect(parseTemplate('{{range .l}}{{if $.m}}{{len $.m}},{{end}}{{end}}').render(dot)).toBe('5000,'.repeat(1000));
  });

  test('turn data nested beyond measure into an error', () => {
    let deep: unknown = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(failure(() => parseTemplate('{{.}}').render(deep)).message).toContain('nested too deeply');
  });
});

describe('stored templates', () => {
  const stored = (texts: Readonly<Record<string, string>>) => ({ storedTemplate: (id: string) => texts[id] });

  test('are rendered by id, under their own name in errors', () => {
    const options = stored({ 'net.tmpl': 'net {{.n}}', 'bad.tmpl': 'line\n{{.n.x}}' });
    expect(parseTemplate('{{template "net.tmpl" .}}!').render({ n: 1 }, options)).toBe('net 1!');
    expect(failure(() => parseTemplate('{{template "bad.tmpl" .}}').render({ n: 1 }, options)).message).toBe(
      'template: bad.tmpl:2:4: executing "bad.tmpl" at <.n.x>: can\'t evaluate field x in type interface {}',
    );
    expect(() => parseTemplate('{{template "none"}}').render({}, options)).toThrow('template "none" not defined');
  });

  test('may use what the calling text defines, which comes before stored ones', () => {
    const options = stored({ outer: '[{{template "inner" .}}]', inner: 'stored' });
    expect(parseTemplate('{{template "outer" .}}').render('x', options)).toBe('[stored]');
    expect(parseTemplate('{{define "inner"}}own{{end}}{{template "outer" .}}').render('x', options)).toBe('[own]');
  });
});

describe('the cache', () => {
  test('gives the same template for the same text and options, and no other', () => {
    expect(cachedTemplate('a{{.x}}')).toBe(cachedTemplate('a{{.x}}'));
    expect(cachedTemplate('a{{.x}}')).not.toBe(cachedTemplate('a{{.x}}', { missingKey: 'error' }));
    expect(cachedTemplate('a{{.x}}')).not.toBe(cachedTemplate('a{{.x}}', { name: 'other' }));
  });

  test('forgets what has not been used for long', () => {
    const first = cachedTemplate('first {{.x}}');
    for (let i = 0; i < 600; i++) cachedTemplate(`filler ${i}`);
    expect(cachedTemplate('first {{.x}}')).not.toBe(first);
  });
});
