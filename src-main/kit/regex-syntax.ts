/** Reads regular expressions in RE2 syntax into a tree. See linear-regex.ts. */

/** Whether one character (code point) belongs. */
export type CharacterTest = (character: string) => boolean;

export type RegexTree =
  | { readonly kind: 'char'; readonly test: CharacterTest }
  | {
      readonly kind: 'assert';
      readonly what: 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-edge' | 'no-word-edge';
    }
  | { readonly kind: 'sequence'; readonly items: readonly RegexTree[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexTree[] }
  | { readonly kind: 'repeat'; readonly item: RegexTree; readonly min: number; readonly max: number | undefined };

/** The pattern cannot be used; the message says why. */
export class RegexError extends Error {}

const MAX_REPEAT = 1000;
const MAX_NESTING = 100;

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
}

const PERL_CLASSES: Readonly<Record<string, RegExp>> = {
  d: /^[0-9]$/,
  D: /^[^0-9]$/u,
  s: /^[\t\n\f\r ]$/,
  S: /^[^\t\n\f\r ]$/u,
  w: /^[0-9A-Za-z_]$/,
  W: /^[^0-9A-Za-z_]$/u,
};

const POSIX_CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /^[0-9A-Za-z]$/,
  alpha: /^[A-Za-z]$/,
  ascii: /^\p{ASCII}$/u,
  blank: /^[\t ]$/,
  cntrl: /^(?=\p{ASCII})\p{Cc}$/u,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[\t\n\v\f\r ]$/,
  upper: /^[A-Z]$/,
  word: /^[0-9A-Za-z_]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

const CONTROL: Readonly<Record<string, string>> = { a: '\x07', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const of =
  (shape: RegExp): CharacterTest =>
  (character) =>
    shape.test(character);

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

function withCase(test: CharacterTest, ignoreCase: boolean): CharacterTest {
  if (!ignoreCase) return test;
  return (character) => test(character) || test(character.toLowerCase()) || test(character.toUpperCase());
}

class Parser {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;
  #flags: Flags = { ignoreCase: false, multiLine: false, dotAll: false };

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  parse(): RegexTree {
    const tree = this.#choice();
    if (this.#at < this.#characters.length) throw new RegexError('unexpected )');
    return tree;
  }

  get #here(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(): string {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw new RegexError('the pattern ends too early');
    return character;
  }

  #takeIf(text: string): boolean {
    const wanted = [...text];
    if (!wanted.every((character, i) => this.#characters[this.#at + i] === character)) return false;
    this.#at += wanted.length;
    return true;
  }

  /** Text up to `end`, which is passed over. */
  #until(end: string): string {
    const from = this.#at;
    while (!this.#takeIf(end)) this.#take();
    return this.#characters.slice(from, this.#at - end.length).join('');
  }

  #choice(): RegexTree {
    if (++this.#depth > MAX_NESTING) throw new RegexError('groups nest too deeply');
    // Flags set inside a group end with it.
    const flags = this.#flags;
    const options = [this.#sequence()];
    while (this.#takeIf('|')) options.push(this.#sequence());
    this.#flags = flags;
    this.#depth--;
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options };
  }

  #sequence(): RegexTree {
    const items: RegexTree[] = [];
    while (this.#here !== undefined && this.#here !== '|' && this.#here !== ')') {
      const item = this.#item();
      if (item) items.push(this.#repeated(item));
    }
    return { kind: 'sequence', items };
  }

  #repeated(item: RegexTree): RegexTree {
    const bounds = this.#quantifier();
    if (!bounds) return item;
    // Whether a quantifier is lazy does not change whether there is a match.
    this.#takeIf('?');
    if (this.#here === '*' || this.#here === '+' || this.#here === '?' || this.#quantifier()) {
      throw new RegexError('a quantifier follows a quantifier');
    }
    return { kind: 'repeat', item, ...bounds };
  }

  #quantifier(): { min: number; max: number | undefined } | undefined {
    if (this.#takeIf('*')) return { min: 0, max: undefined };
    if (this.#takeIf('+')) return { min: 1, max: undefined };
    if (this.#takeIf('?')) return { min: 0, max: 1 };
    const rest = this.#here === '{' ? this.#characters.slice(this.#at, this.#at + 12).join('') : '';
    const bounds = /^\{([0-9]{1,4})(,([0-9]{0,4}))?\}/.exec(rest);
    if (!bounds) return undefined;
    this.#at += bounds[0].length;
    const min = Number(bounds[1]);
    const max = bounds[2] === undefined ? min : bounds[3] === '' ? undefined : Number(bounds[3]);
    if (min > MAX_REPEAT || (max !== undefined && (max > MAX_REPEAT || max < min))) {
      throw new RegexError(`invalid repeat count ${bounds[0]}`);
    }
    return { min, max };
  }

  /** One item; undefined for what matches nothing by itself (flags). */
  #item(): RegexTree | undefined {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return this.#char(this.#bracket());
      case '.':
        return this.#char(this.#flags.dotAll ? () => true : (one) => one !== '\n');
      case '^':
        return { kind: 'assert', what: this.#flags.multiLine ? 'line-start' : 'text-start' };
      case '$':
        return { kind: 'assert', what: this.#flags.multiLine ? 'line-end' : 'text-end' };
      case '*':
      case '+':
      case '?':
        throw new RegexError(`nothing to repeat before ${character}`);
      case '\\':
        return this.#escape();
      default:
        return this.#literal(character);
    }
  }

  #char(test: CharacterTest): RegexTree {
    return { kind: 'char', test };
  }

  #literal(character: string): RegexTree {
    return this.#char(withCase((one) => one === character, this.#flags.ignoreCase));
  }

  #group(): RegexTree | undefined {
    if (this.#takeIf('?')) {
      if (
        this.#takeIf('P<') ||
        (this.#here === '<' && !/^[=!]$/.test(this.#characters[this.#at + 1] ?? '') && this.#takeIf('<'))
      ) {
        if (!/^[A-Za-z_][0-9A-Za-z_]*$/.test(this.#until('>'))) throw new RegexError('invalid group name');
      } else if (this.#here === '=' || this.#here === '!' || this.#here === '<') {
        throw new RegexError('look-around is not supported');
      } else {
        return this.#flagGroup();
      }
    }
    return this.#closed();
  }

  #closed(): RegexTree {
    const tree = this.#choice();
    if (!this.#takeIf(')')) throw new RegexError('missing )');
    return tree;
  }

  /** `(?i)` sets flags for the rest of the group, `(?i:...)` for what is inside. */
  #flagGroup(): RegexTree | undefined {
    let flags = this.#flags;
    let on = true;
    for (;;) {
      const character = this.#take();
      if (character === '-') on = false;
      else if (character === 'i') flags = { ...flags, ignoreCase: on };
      else if (character === 'm') flags = { ...flags, multiLine: on };
      else if (character === 's') flags = { ...flags, dotAll: on };
      else if (character === ')') {
        this.#flags = flags;
        return undefined;
      } else if (character === ':') {
        const outer = this.#flags;
        this.#flags = flags;
        const tree = this.#closed();
        this.#flags = outer;
        return tree;
      } else if (character !== 'U') throw new RegexError(`unknown flag ${character}`);
    }
  }

  #escape(): RegexTree {
    const character = this.#take();
    switch (character) {
      case 'A':
        return { kind: 'assert', what: 'text-start' };
      case 'z':
        return { kind: 'assert', what: 'text-end' };
      case 'b':
        return { kind: 'assert', what: 'word-edge' };
      case 'B':
        return { kind: 'assert', what: 'no-word-edge' };
      case 'Q': {
        const text = this.#characters.slice(this.#at).join('');
        const end = text.indexOf('\\E');
        const body = [...(end < 0 ? text : text.slice(0, end))];
        this.#at += body.length + (end < 0 ? 0 : 2);
        return { kind: 'sequence', items: body.map((one) => this.#literal(one)) };
      }
      default: {
        const set = this.#classEscape(character);
        return set ? this.#char(set) : this.#literal(this.#characterEscape(character));
      }
    }
  }

  /** `\d`, `\pL`, `\P{Greek}`: the set meant; undefined when the escape names a single character. */
  #classEscape(character: string): CharacterTest | undefined {
    const perl = Object.hasOwn(PERL_CLASSES, character) ? PERL_CLASSES[character] : undefined;
    if (perl) return of(perl);
    if (character !== 'p' && character !== 'P') return undefined;
    let name = this.#takeIf('{') ? this.#until('}') : this.#take();
    const isNegated = (character === 'P') !== name.startsWith('^');
    name = name.replace(/^\^/, '');
    if (!/^[A-Za-z_]+$/.test(name)) throw new RegexError('invalid character class');
    const shape = unicodeClass(name);
    return (one) => shape.test(one) !== isNegated;
  }

  #characterEscape(character: string): string {
    const control = Object.hasOwn(CONTROL, character) ? CONTROL[character] : undefined;
    if (control !== undefined) return control;
    if (character === 'x') {
      const digits = this.#takeIf('{') ? this.#until('}') : this.#take() + this.#take();
      const code = /^[0-9A-Fa-f]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
      if (!(code <= 0x10ffff)) throw new RegexError('invalid \\x escape');
      return String.fromCodePoint(code);
    }
    if (/^[0-9A-Za-z]$/.test(character)) throw new RegexError(`\\${character} is not supported`);
    return character;
  }

  #bracket(): CharacterTest {
    const isNegated = this.#takeIf('^');
    const tests: CharacterTest[] = [];
    let isFirst = true;
    for (;;) {
      const character = this.#take();
      if (character === ']' && !isFirst) break;
      isFirst = false;
      tests.push(this.#bracketItem(character));
    }
    const any = withCase((one) => tests.some((test) => test(one)), this.#flags.ignoreCase);
    return isNegated ? (one) => !any(one) : any;
  }

  #bracketItem(character: string): CharacterTest {
    if (character === '[' && this.#takeIf(':')) {
      const name = this.#until(':]');
      const isNegated = name.startsWith('^');
      const key = name.replace(/^\^/, '');
      const shape = Object.hasOwn(POSIX_CLASSES, key) ? POSIX_CLASSES[key] : undefined;
      if (!shape) throw new RegexError(`unknown class [:${name}:]`);
      return (one) => shape.test(one) !== isNegated;
    }
    let first = character;
    if (character === '\\') {
      const escaped = this.#take();
      const set = this.#classEscape(escaped);
      if (set) return set;
      first = this.#characterEscape(escaped);
    }
    const isRange =
      this.#here === '-' && this.#characters[this.#at + 1] !== ']' && this.#characters[this.#at + 1] !== undefined;
    if (!isRange) return (one) => one === first;
    this.#at++;
    const end = this.#take();
    const last = end === '\\' ? this.#characterEscape(this.#take()) : end;
    const [low, high] = [codeOf(first), codeOf(last)];
    if (high < low) throw new RegexError(`invalid range ${first}-${last}`);
    return (one) => codeOf(one) >= low && codeOf(one) <= high;
  }
}

/** One letter or short name of a Unicode category, or a script. */
function unicodeClass(name: string): RegExp {
  for (const property of [name, `Script=${name}`]) {
    try {
      return new RegExp(`^\\p{${property}}$`, 'u');
    } catch {
      // Not this kind of name; the next one may fit.
    }
  }
  throw new RegexError(`unknown character class ${name}`);
}

/** Throws RegexError. */
export function parseRegex(pattern: string): RegexTree {
  return new Parser(pattern).parse();
}
