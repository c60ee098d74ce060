import { describe, expect, test } from 'vitest';
import vectors from '../../templates/vectors/go-template.json' with { type: 'json' };
import { commandLineForTests } from '../../testing/command-line.ts';
import { templateCommand } from './template.ts';

const cli = commandLineForTests();
const file = cli.file;
const run = (...args: string[]): Promise<number> => cli.run(templateCommand, ['template', 'render', ...args]);

const answers = (): unknown => JSON.parse(cli.stdout);
const machine = { Name: 'web01.example.com', Address: '10.0.0.1', Params: { own: 1, both: 'machine' } };

describe('template render for a machine', () => {
  test('prints exactly what the template makes, with a loopback endpoint when none is given', async () => {
    expect(
      await run('--machine', file('m.json', machine), '{{.ShortName}} {{.HexAddress}} {{.ApiURL}}\n{{.Param "own"}}'),
    ).toBe(0);
    expect(cli.stdout).toBe('web01 0A000001 http://127.0.0.1:8092\n1');
    expect(cli.stderr).toBe('');
  });

  test('takes the template from a file, and more params, which win', async () => {
    const template = file('t.tmpl', '{{.Param "own"}} {{.Param "both"}} {{.ParamExists "extra"}}');
    const params = file('p.json', { both: 'params', extra: null });
    expect(await run('--machine', file('m.json', machine), '--params', params, '--file', template)).toBe(0);
    expect(cli.stdout).toBe('1 params true');
  });

  test('writes bytes that are no UTF-8 as they are, and as base64 in JSON', async () => {
    const template = '{{slice "é" 0 1}}';
    expect(await run('--machine', file('m.json', machine), template)).toBe(0);
    expect([...cli.stdoutBytes]).toEqual([0xc3]);
    cli.clear();
    expect(await run('--json', '--machine', file('m.json', machine), template)).toBe(0);
    expect(answers()).toEqual({ output: '\ufffd', output_base64: 'ww==' });
    cli.clear();
    expect(await run('--json', '--machine', file('m.json', machine), '{{"\\xe4\\xb8"}}')).toBe(0);
    expect(answers()).toEqual({ output: '\ufffd\ufffd', output_base64: '5Lg=' });
  });

  test('ends with 1 and the message of Go when the template fails', async () => {
    expect(await run('--machine', file('m.json', machine), 'x{{.Nope}}')).toBe(1);
    expect(cli.stderr).toBe(
      'template render: template: tmp:1:3: executing "tmp" at <.Nope>: can\'t evaluate field Nope in type *main.RenderData\n',
    );
    expect(cli.stdout).toBe('');
    expect(await run('--json', '--machine', file('m.json', machine), '{{')).toBe(1);
    expect(answers()).toEqual({
      error: { class: 'parse', message: 'template: tmp:1: unclosed action', line: 1, column: 2 },
    });
  });

  test('says that tokens need a server', async () => {
    expect(await run('--machine', file('m.json', machine), '{{.GenerateToken}}')).toBe(1);
    expect(cli.stderr).toContain('error calling GenerateToken: tokens are generated only by a running server');
  });

  test('ends with 2 on input it cannot understand', async () => {
    expect(await run('{{.Name}}')).toBe(2);
    expect(await run('--machine', file('m.json', machine))).toBe(2);
    expect(await run('--machine', file('list.json', []), 'x')).toBe(2);
    expect(await run('--machine', file('broken.json', '{'), 'x')).toBe(2);
    expect(await run('--machine', cli.path('missing.json'), 'x')).toBe(2);
    expect(await run('--batch', file('b.json', []), 'x')).toBe(2);
    expect(cli.stderr.split('\n')).toHaveLength(7);
  });
});

describe('template render --batch', () => {
  test('answers every recorded case of the vector file', async () => {
    const data: Readonly<Record<string, unknown>> = vectors.data;
    const machines: Readonly<Record<string, unknown>> = vectors.machines;
    const cases = vectors.vectors.filter((vector) => !('object' in vector) || vector.object === 'seed');
    const entries = cases.map((vector) => ({
      template: vector.template,
      ...('options' in vector && { options: vector.options }),
      ...('data' in vector && { data: data[vector.data ?? ''] }),
      ...('machine' in vector && { machine: machines[vector.machine ?? ''] }),
    }));
    expect(await run('--batch', file('batch.json', entries))).toBe(0);
    const got = answers() as { output?: string; output_base64?: string; error?: { class: string; message: string } }[];
    const brief = got.map(({ output, output_base64, error }) => [output, output_base64, error?.class, error?.message]);
    const wanted = cases.map((vector) => [
      vector.output,
      'output_base64' in vector ? vector.output_base64 : undefined,
      vector.error?.class,
      vector.error?.message,
    ]);
    expect(brief).toEqual(wanted);
  });

  test('answers faulty entries in their place', async () => {
    const entries = [
      { template: '{{.}}', data: 'text' },
      { template: '{{.}}' },
      { data: 1 },
      7,
      { template: 'x', machine: 'm1' },
    ];
    expect(await run('--batch', file('batch.json', entries))).toBe(0);
    const input = (message: string) => ({ error: { class: 'input', message, line: 0, column: 0 } });
    expect(answers()).toEqual([
      { output: 'text' },
      { output: '<no value>' },
      input('[2].template: expected text'),
      input('[3]: expected an object'),
      input('[4].machine: expected an object'),
    ]);
  });

  test('reads a vector file, whose entries name their data', async () => {
    const vectorFile = { ...vectors, vectors: vectors.vectors.slice(0, 50) };
    expect(await run('--batch', file('vectors.json', vectorFile))).toBe(0);
    expect(answers()).toEqual(vectorFile.vectors.map(({ output }) => ({ output })));
    expect(await run('--batch', file('other.json', { templates: [] }))).toBe(2);
  });

  test('takes a plain machine too', async () => {
    expect(await run('--batch', file('batch.json', [{ template: '{{.Machine.Name}}', machine }]))).toBe(0);
    expect(answers()).toEqual([{ output: 'web01.example.com' }]);
  });
});
