/** Parsing once, rendering many times, now or waiting for functions outside. */
import { toBytes, toValidText } from '../kit/go-string.ts';
import { FUNCTION_NAMES } from './builtins.ts';
import { compileUnit } from './control.ts';
import { TemplateError } from './errors.ts';
import { DEFAULT_LIMITS, LimitExceeded, type RenderLimits } from './limits.ts';
import { parse } from './parser.ts';
import { compileQuick, type QuickRender } from './quick.ts';
import { execute, type Program, run, type Session, type SettledCall, State, Suspension, type Unit } from './state.ts';
import { fromData, type GoValue, type HostCalls, type MissingKey } from './values.ts';

interface ParseOptions {
  /** Name in error texts; the callback renderer's own is the default. */
  readonly name?: string;
  /** What a missing map key does: prints `<no value>` (default), counts as nil (zero), or fails (error). */
  readonly missingKey?: MissingKey;
}

interface RenderOptions {
  readonly limits?: Partial<RenderLimits>;
  /** Text of a stored template for {{template "ID" .}}; asked only for names the text itself does not define. */
  readonly storedTemplate?: (id: string) => string | undefined;
}

/** Making a function costs about as much as this many renderings save. */
const QUICK_AFTER = 200;

/** A parsed template. Immutable to its users; one instance can be rendered any number of times. */
class Template {
  private readonly program: Program;
  private quick: QuickRender | undefined;
  /** Renderings until the fast lane opens, or opens again after it did not fit. */
  private untilQuick = QUICK_AFTER;
  readonly name: string;

  constructor(name: string, program: Program) {
    this.name = name;
    this.program = program;
  }

  /**
   * Renders with `dot`: a JSON value, or an object made by this room such as machineDot.
   * Bytes that are not valid UTF-8 come out as U+FFFD. Throws TemplateError of class exec.
   */
  render(dot: unknown, options: RenderOptions = {}): string {
    if (this.quick !== undefined && options.limits === undefined) {
      const text = this.quick(dot);
      if (text !== undefined) return text;
    }
    if (--this.untilQuick === 0) this.openFastLane();
    return outputText(execute(this.start(dot, options)));
  }

  /** The fast lane takes a missing key for nil, which missingkey=error does not allow. */
  private openFastLane(): void {
    const { body, unit } = this.program;
    if (unit.missingKey !== 'error') this.quick = compileQuick(body, DEFAULT_LIMITS.outputLength);
  }

  /** As `render`, but the exact bytes: Go strings may be cut inside of a character. */
  renderBytes(dot: unknown, options: RenderOptions = {}): Uint8Array {
    return toBytes(execute(this.start(dot, options)).out);
  }

  /**
   * As `render`, for dots whose functions may return promises (GetAuthString runs a program). The text is rendered
   * again from its start each time such a promise settles, with the earlier results replayed, so that each outside
   * call is made once. The step limit counts all runs together.
   */
  async renderAsync(dot: unknown, options: RenderOptions = {}): Promise<string> {
    const session = newSession(options, true);
    const value = dotOf(dot);
    for (;;) {
      session.nextCall = 0;
      session.nesting = 0;
      try {
        return outputText(execute(new State(this.program, value, session)));
      } catch (error) {
        if (!(error instanceof Suspension)) throw error;
        session.settled.push(await settle(error.promise));
      }
    }
  }

  private start(dot: unknown, options: RenderOptions): State {
    return new State(this.program, dotOf(dot), newSession(options, false));
  }

  /** Runs inside of another rendering and on its budget. Errors keep this template's own name and place. */
  renderWithin(session: Session, dot: GoValue): string {
    const state = new State(this.program, dot, session);
    try {
      run(state);
    } catch (error) {
      if (error instanceof LimitExceeded || error instanceof Suspension || error instanceof TemplateError) throw error;
      throw error instanceof RangeError ? state.error('value is nested too deeply or too long to print') : error;
    }
    return state.out;
  }
}

function outputText(state: State): string {
  return state.hasRawBytes ? toValidText(state.out) : state.out;
}

/** Nil as dot is no value at all. */
function dotOf(dot: unknown): GoValue {
  return fromData(dot) ?? undefined;
}

async function settle(promise: Promise<GoValue>): Promise<SettledCall> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function newSession(options: RenderOptions, canWait: boolean): Session {
  const limits = options.limits === undefined ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, ...options.limits };
  const { storedTemplate } = options;
  return {
    limits,
    steps: 0,
    nesting: 0,
    canWait,
    settled: [],
    mapSizes: new WeakMap(),
    nextCall: 0,
    lookup: storedTemplate === undefined ? undefined : (id) => storedUnit(id, storedTemplate(id)),
    renderInside,
  };
}

function storedUnit(id: string, text: string | undefined): Unit | undefined {
  return text === undefined ? undefined : unitOf(cachedTemplate(text, { name: id }));
}

function renderInside(state: State, ...[text, request]: Parameters<HostCalls['render']>): string {
  const { session } = state;
  state.charge(text.length);
  const template = cachedTemplate(text, { name: request.name, missingKey: request.missingKey });
  if (session.nesting >= session.limits.nesting) {
    throw new LimitExceeded(`more than ${session.limits.nesting} renderings inside of one another`);
  }
  session.nesting++;
  const result = template.renderWithin(session, request.dot);
  session.nesting--;
  return result;
}

const units = new WeakMap<Template, Unit>();

function unitOf(template: Template): Unit | undefined {
  return units.get(template);
}

/** Parses `text`. Throws TemplateError of class parse, in Go's words. */
export function parseTemplate(text: string, options: ParseOptions = {}): Template {
  const name = options.name ?? 'tmp';
  const source = text.toWellFormed();
  const unit = compileUnit(name, source, parse(name, source, FUNCTION_NAMES), options.missingKey ?? 'default');
  const template = new Template(name, unit.programs.get(name) ?? { name, operations: [], body: [], unit });
  units.set(template, unit);
  return template;
}

const CACHE_ENTRIES = 512;
/** In bytes of memory, roughly. */
const CACHE_SIZE = 64 * 1024 * 1024;
const LARGEST_CACHED = CACHE_SIZE / 8;
/** What a character inside of an action costs once it is compiled; text costs itself. */
const BYTES_PER_ACTION_CHARACTER = 200;

/** Most recently used last; bounded in entries and in the memory they take. */
const cache = new Map<string, { readonly template: Template; readonly size: number }>();
let cachedSize = 0;

function compiledSize(text: string): number {
  let actions = 0;
  for (let open = text.indexOf('{{'); open >= 0; ) {
    const close = text.indexOf('}}', open);
    const end = close < 0 ? text.length : close;
    actions += end - open;
    open = text.indexOf('{{', end);
  }
  return 2 * text.length + BYTES_PER_ACTION_CHARACTER * actions;
}

/** As `parseTemplate`, from a cache by content. Texts that do not parse are not kept, nor are very large ones. */
export function cachedTemplate(text: string, options: ParseOptions = {}): Template {
  const key = `${options.missingKey ?? 'default'}\0${options.name ?? 'tmp'}\0${text}`;
  const found = cache.get(key);
  if (found !== undefined) {
    cache.delete(key);
    cache.set(key, found);
    return found.template;
  }
  const template = parseTemplate(text, options);
  const size = compiledSize(key);
  if (size > LARGEST_CACHED) return template;
  cache.set(key, { template, size });
  cachedSize += size;
  for (const [oldest, entry] of cache) {
    if (cache.size <= CACHE_ENTRIES && cachedSize <= CACHE_SIZE) break;
    cache.delete(oldest);
    cachedSize -= entry.size;
  }
  return template;
}
