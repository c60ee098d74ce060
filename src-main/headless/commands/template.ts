/**
 * `template render`: renders Go templates without a server, one for a machine or a whole file of them. Output goes to
 * stdout as the exact bytes. Exit codes: 0 rendered, 1 the template failed, 2 the input cannot be understood.
 */
import type { Command } from 'commander';
import { fromBytes, toValidText } from '../../kit/go-string.ts';
import {
  type MissingKey,
  parseTemplate,
  type RecordedMachine,
  recordedMachineDot,
  TemplateError,
  type TokenFunctions,
} from '../../templates/index.ts';
import { InputError, nameOf, readJson, readText } from '../input.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a machine sees of an endpoint on this computer with the default ports. */
const LOOPBACK_INFO: Json = {
  arch: 'amd64',
  os: 'linux',
  version: '',
  id: '',
  address: '127.0.0.1',
  api_port: 8092,
  file_port: 8091,
  prov_enabled: true,
  features: [],
};

const refuseToken = (): never => {
  throw new Error('tokens are generated only by a running server');
};

const NO_TOKENS: TokenFunctions = {
  generateToken: refuseToken,
  generateInfiniteToken: refuseToken,
  generateProfileToken: refuseToken,
};

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectAt(value: unknown, where: string): Json {
  if (!isObject(value)) throw new InputError(`${where}: expected an object`);
  return value;
}

const own = (json: Json, key: string): unknown => (Object.hasOwn(json, key) ? json[key] : undefined);

/** A part of the recorded form that may be missing, but must be an object when it is there. */
function optionalObject(json: Json, key: string, where: string): Json | undefined {
  const value = own(json, key);
  return value === undefined || value === null ? undefined : objectAt(value, `${where}.${key}`);
}

/** Either a machine's own JSON, or `{machine, info, param_defaults, auths, executables}`. */
function recordedMachine(value: unknown, where: string): RecordedMachine {
  const json = objectAt(value, where);
  const machine = optionalObject(json, 'machine', where);
  if (machine === undefined) return { machine: json, info: LOOPBACK_INFO };
  return {
    machine,
    info: optionalObject(json, 'info', where) ?? LOOPBACK_INFO,
    params: optionalObject(json, 'params', where),
    param_defaults: optionalObject(json, 'param_defaults', where),
    auths: optionalObject(json, 'auths', where),
    executables: optionalObject(json, 'executables', where),
  };
}

/** Params from a file are added to the machine's own and win over them. */
function withParams(recorded: RecordedMachine, params: Json): RecordedMachine {
  const existing = recorded.params ?? own(recorded.machine, 'Params');
  return { ...recorded, params: { ...(isObject(existing) ? existing : {}), ...params } };
}

interface ErrorAnswer {
  readonly class: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

type Answer =
  | { readonly output: string /** Set when the output is not valid UTF-8. */; readonly output_base64?: string }
  | { readonly error: ErrorAnswer };

interface Rendered {
  readonly bytes: Uint8Array;
}

function render(template: string, dot: unknown, missingKey: MissingKey): Rendered | { readonly error: ErrorAnswer } {
  try {
    return { bytes: parseTemplate(template, { missingKey }).renderBytes(dot) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { error: { class: error.class, message: error.message, line: error.line, column: error.column } };
  }
}

function answerOf(rendered: Rendered | { readonly error: ErrorAnswer }): Answer {
  if ('error' in rendered) return rendered;
  const bytes = Buffer.from(rendered.bytes);
  const output = bytes.toString('utf8');
  if (Buffer.from(output).equals(bytes)) return { output };
  // One U+FFFD for each invalid byte, as Go writes it, where decoders here put one for several.
  return { output: toValidText(fromBytes(bytes)), output_base64: bytes.toString('base64') };
}

/** The text/template option of an entry: `missingKey`, or `options: ["missingkey=error"]`. */
function missingKeyOf(entry: Json, where: string): MissingKey {
  const options = own(entry, 'options');
  const listed: unknown[] = Array.isArray(options) ? options : [];
  const value =
    own(entry, 'missingKey') ?? (listed.length > 0 ? String(listed.at(-1)).replace('missingkey=', '') : 'default');
  if (value === 'invalid') return 'default';
  if (value === 'default' || value === 'zero' || value === 'error') return value;
  throw new InputError(`${where}: missingkey must be default, zero or error`);
}

/** One entry of a batch. A fault of the entry is its own answer, so that the others are still rendered. */
function batchAnswer(value: unknown, index: number): Answer {
  try {
    const where = `[${index}]`;
    const entry = objectAt(value, where);
    const template = own(entry, 'template');
    if (typeof template !== 'string') throw new InputError(`${where}.template: expected text`);
    const machine = own(entry, 'machine');
    const hasMachine = machine !== undefined && machine !== null;
    const dot = hasMachine
      ? recordedMachineDot(recordedMachine(machine, `${where}.machine`), NO_TOKENS)
      : own(entry, 'data');
    return answerOf(render(template, dot, missingKeyOf(entry, where)));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { error: { class: 'input', message: error.message, line: 0, column: 0 } };
  }
}

/**
 * The entries of a batch file: a list, or `{vectors, data, machines}` whose entries name their data and machine. A
 * name that is not there stays what it is, a text.
 */
function batchEntries(file: string): readonly unknown[] {
  const content = readJson(file);
  if (Array.isArray(content)) return content as readonly unknown[];
  const vectors = isObject(content) ? own(content, 'vectors') : undefined;
  if (!isObject(content) || !Array.isArray(vectors)) {
    throw new InputError(`${nameOf(file)}: expected a list of {template, data, machine?}`);
  }
  const named = (key: string, value: unknown): unknown => {
    const table = optionalObject(content, key, nameOf(file)) ?? {};
    return typeof value === 'string' && Object.hasOwn(table, value) ? table[value] : value;
  };
  return (vectors as readonly unknown[]).map((entry) =>
    isObject(entry)
      ? { ...entry, data: named('data', own(entry, 'data')), machine: named('machines', own(entry, 'machine')) }
      : entry,
  );
}

interface RenderOptions {
  readonly machine?: string;
  readonly params?: string;
  readonly file?: string;
  readonly batch?: string;
  readonly json?: boolean;
}

function single(template: string | undefined, options: RenderOptions): Rendered | { readonly error: ErrorAnswer } {
  const { machine, params, file } = options;
  if (machine === undefined) throw new InputError('give --machine F.json, or --batch FILE');
  if ((template === undefined) === (file === undefined)) throw new InputError('give either TEMPLATE or --file F');
  const text = template ?? readText(file ?? '-');
  const recorded = recordedMachine(readJson(machine), nameOf(machine));
  const complete = params === undefined ? recorded : withParams(recorded, objectAt(readJson(params), nameOf(params)));
  return render(text, recordedMachineDot(complete, NO_TOKENS), 'default');
}

function run(template: string | undefined, options: RenderOptions): void {
  if (options.batch !== undefined) {
    if (
      template !== undefined ||
      options.file !== undefined ||
      options.machine !== undefined ||
      options.params !== undefined
    ) {
      throw new InputError('--batch takes templates and machines from its file: give nothing else');
    }
    process.stdout.write(`${JSON.stringify(batchEntries(options.batch).map(batchAnswer))}\n`);
    return;
  }
  const rendered = single(template, options);
  if (options.json === true) process.stdout.write(`${JSON.stringify(answerOf(rendered))}\n`);
  else if ('bytes' in rendered) process.stdout.write(rendered.bytes);
  if (!('error' in rendered)) return;
  process.stderr.write(`template render: ${rendered.error.message}\n`);
  process.exitCode = 1;
}

/** Registers `template render`. */
export function templateCommand(program: Command): void {
  program
    .command('template')
    .description('Renders Go templates')
    .command('render')
    .summary('render a template for a machine')
    .description(
      'Renders TEMPLATE, or the text of --file, with the functions callbacks and tasks have for a machine.\n' +
        'F.json holds a machine, or {machine, info, param_defaults, auths, executables} to say what its functions find.\n' +
        'With --batch, prints the JSON array of {output} or {error: {class, message, line, column}} for a list of\n' +
        '{template, data, machine?}. "-" reads standard input.',
    )
    .argument('[template]', 'the template')
    .option('--machine <file>', 'the machine, as JSON')
    .option('--params <file>', "more params, as a JSON object; they win over the machine's own")
    .option('--file <file>', 'reads the template from a file')
    .option('--batch <file>', 'a JSON array of {template, data, machine?}')
    .option('--json', 'prints {"output": …} or {"error": …}')
    .action((template: string | undefined, options: RenderOptions) => {
      try {
        run(template, options);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        process.stderr.write(`template render: ${error.message}\n`);
        process.exitCode = 2;
      }
    });
}
