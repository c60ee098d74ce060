import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { toBytes } from '../kit/go-string.ts';
import { TemplateError } from './errors.ts';
import { toGoJson } from './go-json.ts';
import { toGoYaml } from './go-yaml.ts';
import { parseGoUrl } from './parse-url.ts';
import { type RecordedMachine, recordedMachineDot } from './recorded-machine.ts';
import { parseTemplate } from './template.ts';
import type { MissingKey } from './values.ts';
import generated from './vectors/go-generated.json' with { type: 'json' };
import file from './vectors/go-template.json' with { type: 'json' };

/** Read here and not imported: its lone surrogates are JSON, but not every bundler takes them. */
const compared = JSON.parse(readFileSync(new URL('./vectors/go-compared.json', import.meta.url), 'utf8')) as {
  readonly data: Readonly<Record<string, unknown>>;
  readonly machines: Readonly<Record<string, RecordedMachine>>;
  readonly vectors: readonly (Case & { readonly data?: string; readonly machine?: string })[];
};

interface Case {
  readonly template: string;
  readonly missingKey?: string;
  readonly output?: string;
  readonly error?: unknown;
}

interface Vector {
  readonly name: string;
  readonly template: string;
  readonly data?: string;
  readonly machine?: string;
  readonly object?: string;
  readonly options?: readonly string[];
  readonly output?: string;
  readonly output_base64?: string;
  readonly error?: { readonly class: string; readonly message: string; readonly partial?: string };
}

const vectors: readonly Vector[] = file.vectors;
const data: Readonly<Record<string, unknown>> = file.data;
const machines: Readonly<Record<string, RecordedMachine>> = file.machines;

function dotOf(vector: Vector): unknown {
  if (vector.machine === undefined) return data[vector.data ?? ''];
  const machine = machines[vector.machine];
  if (machine === undefined) throw new Error(`no machine ${vector.machine}`);
  return recordedMachineDot(machine);
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The answer in the shape of the vector file. */
function answer(template: string, dot: unknown, missingKey: MissingKey, asBytes: boolean): unknown {
  try {
    const parsed = parseTemplate(template, { missingKey });
    const output = parsed.render(dot);
    return asBytes ? { output, output_base64: base64(parsed.renderBytes(dot)) } : { output };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const partial = error.partial === '' ? {} : { partial: error.partial };
    return { error: { class: error.class, message: error.message, ...partial } };
  }
}

function answerTo(vector: Vector): unknown {
  const missingKey = (vector.options?.[0]?.split('=')[1] ?? 'default') as MissingKey;
  return answer(vector.template, dotOf(vector), missingKey, vector.output_base64 !== undefined);
}

function wantedOf({ output, output_base64, error }: Vector): unknown {
  return { ...(output !== undefined && { output }), ...(output_base64 && { output_base64 }), ...(error && { error }) };
}

/**
 * Answers of the older callback renderer that differ from the service's own rules, which win: it keeps the machine's
 * fields and functions under .Machine alone, has one spelling where the service has another (both work here), calls
 * the 01- form pxelinux and not pxe, finds every param existing, and brings 206 general-purpose functions the
 * service does not name.
 */
const OLDER_RENDERER_DIFFERS: Readonly<Record<string, string>> = {
  '{{.Name}}': 'machine fields on dot',
  '{{.HexAddress}}': 'machine functions on dot',
  '{{.ShortName}}': 'machine functions on dot',
  '{{.Path}}': 'machine functions on dot',
  '{{.Url}}': 'machine functions on dot',
  '{{.MacAddr}}': 'machine functions on dot',
  '{{.HasProfile "web"}}': 'machine functions on dot',
  '{{.ProvisionURL}}': 'ProvisionURL beside ProvisionerURL',
  '{{.ParseURL "host" "http://h/"}}': 'ParseURL beside ParseUrl',
  '{{.Machine.MacAddr}} {{.Machine.MacAddr "raw"}} {{.Machine.MacAddr "pxe"}} {{.Machine.MacAddr "pxelinux"}} {{.Machine.MacAddr "rpi4"}}':
    'pxe is the service name of the 01- form',
  '{{.ParamExists "str"}} {{.ParamExists "nope"}}': 'ParamExists asks whether the param exists',
  '{{.Param "str" | upper | quote}} {{list 1 2 | join "-"}} {{default "d" (.Param "nope")}} {{.Param "map" | toJson}} {{.Param "str" | b64enc}}':
    'general-purpose functions are not part of the service',
};

describe('the recorded answers of Go', () => {
  const differs = vectors.filter((vector) => JSON.stringify(answerTo(vector)) !== JSON.stringify(wantedOf(vector)));

  test('all hold, except those where the older callback renderer has other names', () => {
    const own = differs.filter((vector) => vector.object !== 'callback-4.8');
    expect(own.map((vector) => ({ ...vector, got: answerTo(vector) }))).toEqual([]);
    expect(vectors.length).toBeGreaterThan(1400);
  });

  test('differ from the older callback renderer exactly where listed', () => {
    const older = differs.filter((vector) => vector.object === 'callback-4.8');
    expect(new Set(older.map((vector) => vector.template))).toEqual(new Set(Object.keys(OLDER_RENDERER_DIFFERS)));
  });

  test('hold after many renderings of the same template, and when waiting is allowed', async () => {
    for (const vector of vectors.filter((candidate) => candidate.output !== undefined).slice(0, 300)) {
      const dot = dotOf(vector);
      const template = parseTemplate(vector.template);
      const first = template.render(dot);
      for (let i = 0; i < 210; i++) template.render(dot);
      expect([vector.template, template.render(dot)]).toEqual([vector.template, first]);
      expect(await template.renderAsync(dot)).toBe(first);
    }
  });
});

/** What Go answers otherwise, on purpose: its answer depends on its memory, or has no bound. */
const DIFFERS_FROM_GO: readonly { readonly template: string; readonly why: string; readonly here: string }[] = [
  { template: '{{printf "%p" .list}}', why: 'Go prints where the list lies in memory', here: '0xc000010000' },
  {
    template: `{{${'('.repeat(501)}1${')'.repeat(501)}}}`,
    why: 'Go parses any depth; here 500 levels are the limit',
    here: 'template: tmp:1: more than 500 levels of nesting',
  },
  {
    template: '{{$}}{{template "tmp" $}}',
    why: 'Go writes hundreds of megabytes on its way to a depth of 100000; here a million steps are the limit',
    here: 'template: tmp:1:2: executing "tmp" at <$>: rendering exceeds the limit of 1000000 steps',
  },
];

test('what differs from Go on purpose is exactly as listed', () => {
  for (const { template, here } of DIFFERS_FROM_GO) {
    const answered = answer(template, data['std'], 'default', false) as {
      output?: string;
      error?: { message: string };
    };
    expect(answered.output ?? answered.error?.message).toBe(here);
  }
});

/** Those whose answer is another, with both. */
function wrongAnswers(cases: readonly Case[], dotOfCase: (index: number) => unknown): readonly unknown[] {
  return cases.flatMap((one, index) => {
    const wanted = { output: one.output ?? '', error: one.error };
    const got = bytesOrError(one.template, dotOfCase(index), (one.missingKey ?? 'default') as MissingKey);
    return JSON.stringify(got) === JSON.stringify(wanted) ? [] : [{ template: one.template, wanted, got }];
  });
}

describe('the answers of Go to generated input', () => {
  test('hold for templates, formats and constants', () => {
    expect(wrongAnswers(generated.templates, () => data['std'])).toEqual([]);
  });

  test('hold for what comparing generated templates has found, and for a sample of every kind', () => {
    const values = { ...data, ...compared.data };
    const recorded = { ...machines, ...compared.machines };
    const wrong = wrongAnswers(compared.vectors, (index) => {
      const { data: name = '', machine = '' } = compared.vectors[index] ?? {};
      const found = recorded[machine];
      return found === undefined ? values[name] : recordedMachineDot(found);
    });
    expect(wrong).toEqual([]);
    expect(compared.vectors.length).toBeGreaterThan(1100);
  });

  test('hold for YAML', () => {
    for (const { value, output } of generated.yaml) expect(toGoYaml(value)).toBe(output);
  });

  test('hold for JSON', () => {
    for (const { value, output } of generated.json) expect(`${toGoJson(value)}\n`).toBe(output);
  });

  test('hold for URLs', () => {
    for (const one of generated.urls) {
      let got: unknown;
      try {
        const { scheme, host, path } = parseGoUrl(one.url);
        got = base64(toBytes(`${scheme}|${host}|${path}`));
      } catch (error) {
        got = (error as Error).message;
      }
      expect([one.url, got]).toEqual([one.url, 'error' in one ? one.error : one.parts]);
    }
  });
});

function bytesOrError(template: string, dot: unknown, missingKey: MissingKey): unknown {
  try {
    return { output: base64(parseTemplate(template, { missingKey }).renderBytes(dot)), error: undefined };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const output = error.class === 'exec' ? base64(error.partialBytes()) : '';
    return { output, error: { class: error.class, message: error.message.toWellFormed() } };
  }
}
