import { describe, expect, test } from 'vitest';
import { type AuthOutcome, type MachineDotOptions, machineDot, parseTemplate } from './index.ts';

const machine = {
  Name: 'web01.rack2.example.com',
  Uuid: '3e7031fe-5b02-4f80-94d4-1b9ed1f6ad9f',
  Address: '192.168.124.11',
  Stage: 'complete',
  HardwareAddrs: ['52:54:00:ab:cd:ef'],
  Profiles: ['base'],
  Params: { p: 'own', nothing: null, loop: '{{.ParamExpand "loop"}}', auth: 'Bearer {{.GetAuthString "a"}}' },
  Fingerprint: { SystemUUID: 'x-1' },
};
const info = { address: '192.168.124.10', api_port: 8092, file_port: 8091, ha_active_id: 'n1' };

function render(template: string, options: Partial<MachineDotOptions> = {}): string {
  return parseTemplate(template).render(machineDot({ machine, info, ...options }));
}

describe('names', () => {
  test('of the service and of older installations both work', () => {
    expect(
      render('{{eq .ProvisionURL .ProvisionerURL}} {{.ParseURL "host" .ApiURL}} {{.ParseUrl "host" .ApiURL}}'),
    ).toBe('true 192.168.124.10:8092 192.168.124.10:8092');
    expect(render('{{.MacAddr "pxe"}} {{.MacAddr "pxelinux"}} {{.Machine.MacAddr "pxelinux"}}')).toBe(
      '01-52-54-00-ab-cd-ef 52:54:00:ab:cd:ef 01-52-54-00-ab-cd-ef',
    );
  });

  test('of fields no table knows are read from the JSON', () => {
    expect(render('{{.Fingerprint.SystemUUID}} {{.Machine.Fingerprint.SystemUUID}} {{.Info.HaActiveId}}')).toBe(
      'x-1 x-1 n1',
    );
    expect(() => render('{{.constructor}}')).toThrow("can't evaluate field constructor in type *main.RenderData");
  });
});

describe('inherited names', () => {
  test('are no members of anything a machine template reaches', () => {
    const options = {
      task: { Name: 't' },
      env: { Name: 'e' },
      params: { p: {} },
      machine: { ...machine, Meta: { icon: 'x' }, Fingerprint: {} },
    };
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];
    for (const name of names) {
      for (const owner of ['', '.Machine', '.Info']) {
        expect(() => render(`{{${owner}.${name}}}`, options)).toThrow(`can't evaluate field ${name} in type *`);
      }
      for (const owner of ['.Meta', '.Params', '.Params.p', '.Task', '.Env', '.Fingerprint', '(.Param "p")']) {
        expect(render(`{{${owner}.${name}}}`, options)).toBe('<no value>');
        expect(render(`{{with index ${owner} "${name}"}}reached{{end}}`, options)).toBe('');
      }
      expect(render(`{{.Param "${name}"}} {{.ParamExists "${name}"}} {{.ParamAsJSON "${name}"}}`, options)).toBe(
        '<no value> false null\n',
      );
      expect(render(`{{.HasProfile "${name}"}} {{.Info.HasFeature "${name}"}}`, options)).toBe('false false');
      expect(() => render(`{{template "${name}"}}`, options)).toThrow(`template "${name}" not defined`);
      expect(() => render(`{{${name}}}`, options)).toThrow(/not defined|unexpected/);
    }
  });
});

describe('odd arguments', () => {
  test.each([
    ['{{printf "%q" (slice .Profiles 0 4)}}{{len .Profiles}}', '["base" "" "" ""]1'],
    ['{{.Param ""}}|{{.ParamExists ""}}|{{.ParamExpand ""}}', '<no value>|false|<no value>'],
    ['{{.ParamAsYAML "nothing"}}{{.ParamAsJSON "nothing"}}', 'null\nnull\n'],
    ['{{.MacAddr "rpi4" "pxe" "raw"}}', '52-54-00-ab-cd-ef'],
    ['{{.HasProfile (print "ba" "se")}}', 'true'],
    [
      '{{with .Machine}}{{.HasProfile "base"}} {{.MacAddr "pxe"}} {{.Path}}{{end}}',
      'true 01-52-54-00-ab-cd-ef machines/3e7031fe-5b02-4f80-94d4-1b9ed1f6ad9f',
    ],
    ['{{.ParseURL "path" (print .ProvisionURL "/a%20b?x#y")}}', '/a b'],
    ['{{.ParseURL "scheme" "HTTP:"}}{{.ParseURL "host" "//H:1"}}', 'httpH:1'],
  ])('%s', (template, output) => {
    expect(render(template)).toBe(output);
  });

  test.each([
    ['{{.Param "a" "b"}}', 'wrong number of args for Param: want 1 got 2'],
    ['{{"a" | .Param "b"}}', 'wrong number of args for Param: want 1 got 2'],
    ['{{.ParamExists .Info.ApiPort}}', 'wrong type for value; expected string; got int'],
    ['{{.HasProfile nil}}', 'cannot assign nil to string'],
    ['{{.HasProfile true}}', 'expected string; found true'],
    ['{{.HasProfile .Params.absent}}', 'invalid value; expected string'],
    ['{{.MacAddr "pxe" 1}}', 'expected string; found 1'],
    ['{{.ShortName 1}}', 'wrong number of args for ShortName: want 0 got 1'],
    ['{{1 | .Name}}', 'Name has arguments but cannot be invoked as function'],
    ['{{.Info.HasFeature}}', 'wrong number of args for HasFeature: want 1 got 0'],
    ['{{.ParseURL "host"}}', 'wrong number of args for ParseURL: want 2 got 1'],
    ['{{.ParseURL "query" "http://[::1"}}', `parse "http://[::1": missing ']' in host`],
    ['{{.ParseURL "" "http://h"}}', 'No idea how to get URL part  from http://h'],
    ['{{.GetAuthString}}', 'wrong number of args for GetAuthString: want 1 got 0'],
    ['{{.GetAuthString ""}}', 'Failed to find  in auths for plugin'],
    ['{{.Param.x}}', 'wrong number of args for Param: want 1 got 0'],
    ['{{(.Param "p").x}}', "can't evaluate field x in type"],
  ])('%s fails', (template, message) => {
    expect(() => render(template)).toThrow(message);
  });

  test('an IPv4 address in its mapped form is an IPv4 address', () => {
    const mapped = { machine: { ...machine, Address: '::ffff:1.2.3.4' } };
    expect(render('{{.Address}} {{.HexAddress}}', mapped)).toBe('1.2.3.4 01020304');
    expect(render('[{{.HexAddress}}]', { machine: { ...machine, Address: 'fd00::1' } })).toBe('[]');
  });
});

describe('params', () => {
  test('come from what is handed in, then from the default of the definition', () => {
    const options = {
      params: { p: 'aggregated' },
      paramDefault: (name: string) => (name === 'd' ? 'default' : undefined),
    };
    expect(
      render('{{.Param "p"}} {{.Param "d"}} {{.Param "x"}} {{.ParamExists "p"}} {{.ParamExists "d"}}', options),
    ).toBe('aggregated default <no value> true false');
    expect(render('{{.Params.p}} {{.Machine.Params.p}}', options)).toBe('aggregated aggregated');
  });

  test('that expand into themselves end in an error', () => {
    expect(() => render('{{.ParamExpand "loop"}}')).toThrow('more than 64 renderings inside of one another');
  });
});

describe('functions with an effect', () => {
  test('that must wait run once each, in order, although the rendering is started again', async () => {
    const calls: string[] = [];
    const authString = async (name: string): Promise<AuthOutcome> => {
      calls.push(name);
      await Promise.resolve();
      return { kind: 'ran', output: ` ${name}${calls.length}\n` };
    };
    const template = parseTemplate(
      '{{.GetAuthString "a"}} {{.GetAuthString "a"}} {{.ParamExpand "auth"}} {{.GetAuthString "b"}}',
    );
    const dot = machineDot({ machine, info, authString });
    await expect(template.renderAsync(dot)).resolves.toBe('a1 a2 Bearer a3 b4');
    expect(calls).toEqual(['a', 'a', 'a', 'b']);
  });

  test('report their failure where they were called', async () => {
    const authString = async (): Promise<AuthOutcome> =>
      Promise.resolve({ kind: 'failed', path: '/a.sh', output: 'no\n', reason: 'exit status 3' });
    const dot = machineDot({ machine, info, authString, pluginName: 'cb' });
    await expect(parseTemplate('x{{.GetAuthString "a"}}').renderAsync(dot)).rejects.toMatchObject({
      message:
        'template: tmp:1:3: executing "tmp" at <.GetAuthString>: error calling GetAuthString: rpc: plugin/cb\n  Failed to execute: /a.sh\n  out: no\n\n  exit status 3',
      partial: 'x',
    });
    await expect(parseTemplate('{{.GetAuthString "a"}}').renderAsync(machineDot({ machine, info }))).rejects.toThrow(
      'Failed to find a in auths for plugin',
    );
  });

  test('cannot wait in a rendering that must not', () => {
    const dot = machineDot({ machine, info, authString: async () => Promise.resolve({ kind: 'unknown' }) });
    expect(() => parseTemplate('{{.GetAuthString "a"}}').render(dot)).toThrow('render this template asynchronously');
  });

  test('make each token once, also beside functions that wait', async () => {
    let made = 0;
    const dot = machineDot({
      machine,
      info,
      authString: async () => Promise.resolve({ kind: 'ran', output: 'auth' }),
      tokens: {
        generateToken: () => `t${++made}`,
        generateInfiniteToken: () => `i${++made}`,
        generateProfileToken: (profile, seconds) => `${profile}/${seconds}/${++made}`,
      },
    });
    const template = parseTemplate(
      '{{.GenerateToken}} {{.GetAuthString "a"}} {{.GenerateInfiniteToken}} {{.GenerateProfileToken "p" 60}}',
    );
    await expect(template.renderAsync(dot)).resolves.toBe('t1 auth i2 p/60/3');
  });
});

describe('task templates', () => {
  const tokens = { generateToken: () => 't', generateInfiniteToken: () => 'i' };

  test('know tokens, task, stage, environment and boot parameters', () => {
    const options = {
      tokens,
      task: { Name: 'install' },
      stage: { Name: 'stage-1' },
      env: { Name: 'env-1', OS: { Name: 'linux-1' } },
      bootParams: 'root={{.ProvisionURL}} {{.Env.OS.Name}}',
    };
    expect(render('{{.GenerateToken}} {{.Task.Name}} {{.Stage.Name}} {{.Env.Name}} {{.BootParams}}', options)).toBe(
      't install stage-1 env-1 root=http://192.168.124.10:8091 linux-1',
    );
  });

  test('have names that a callback template does not know', () => {
    for (const name of [
      'GenerateToken',
      'GenerateInfiniteToken',
      'GenerateProfileToken',
      'Task',
      'Env',
      'BootParams',
    ]) {
      expect(() => render(`{{.${name}}}`)).toThrow(`can't evaluate field ${name} in type *main.RenderData`);
    }
    expect(render('{{.Stage}}')).toBe('complete');
  });
});
