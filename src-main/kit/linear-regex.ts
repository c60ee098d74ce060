/**
 * Regular expressions in RE2 syntax that answer in time proportional to text times pattern, whatever both are: the pattern
 * becomes an automaton whose states all advance together, so there is nothing to backtrack. Only "does it match somewhere" is
 * asked, so groups capture nothing. Refused, as in RE2: back-references, look-around, repetition above 1,000.
 *
 *   parse (regex-syntax.ts)  pattern -> Tree   compile  Tree -> Program   run  Program, text -> boolean
 */
import { type CharacterTest, parseRegex, RegexError, type RegexTree } from './regex-syntax.ts';

export { RegexError } from './regex-syntax.ts';

type Instruction =
  | { readonly op: 'char'; readonly test: CharacterTest; readonly next: number }
  | { readonly op: 'split'; readonly next: number; readonly other: number }
  | { readonly op: 'assert'; readonly what: Assertion; readonly next: number }
  | { readonly op: 'match' };

type Assertion = Extract<RegexTree, { kind: 'assert' }>['what'];

/** Bounds the time per character of text. */
const MAX_PROGRAM = 250;
/** Bounds the time to compile: repetitions of nothing make no instructions. */
const MAX_STEPS = 10_000;

class Compiler {
  readonly code: Instruction[] = [];
  readonly #most: number;
  #steps = 0;

  constructor(most: number) {
    this.#most = most;
  }

  emit(instruction: Instruction): number {
    if (this.code.length >= this.#most) throw new RegexError('the pattern is too large');
    return this.code.push(instruction) - 1;
  }

  /** Emits the instructions of a tree so that they go on to `next`; gives back where they start. Built from the end. */
  tree(node: RegexTree, next: number): number {
    if (++this.#steps > MAX_STEPS) throw new RegexError('the pattern is too large');
    switch (node.kind) {
      case 'char':
        return this.emit({ op: 'char', test: node.test, next });
      case 'assert':
        return this.emit({ op: 'assert', what: node.what, next });
      case 'sequence':
        return node.items.reduceRight((after, item) => this.tree(item, after), next);
      case 'choice':
        return node.options
          .map((option) => this.tree(option, next))
          .reduceRight((other, start) => this.emit({ op: 'split', next: start, other }));
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #repeat({ item, min, max }: Extract<RegexTree, { kind: 'repeat' }>, next: number): number {
    let start = next;
    let copies = min;
    if (max === undefined) {
      const loop = this.emit({ op: 'split', next, other: next });
      const body = this.tree(item, loop);
      this.code[loop] = { op: 'split', next: body, other: next };
      // The looping copy serves as the last of the required ones.
      start = min > 0 ? body : loop;
      copies = Math.max(0, min - 1);
    } else {
      for (let i = min; i < max; i++) start = this.emit({ op: 'split', next: this.tree(item, start), other: next });
    }
    for (let i = 0; i < copies; i++) start = this.tree(item, start);
    return start;
  }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^[0-9A-Za-z_]$/.test(character);

function holds(what: Assertion, before: string | undefined, after: string | undefined): boolean {
  switch (what) {
    case 'text-start':
      return before === undefined;
    case 'text-end':
      return after === undefined;
    case 'line-start':
      return before === undefined || before === '\n';
    case 'line-end':
      return after === undefined || after === '\n';
    case 'word-edge':
      return isWord(before) !== isWord(after);
    case 'no-word-edge':
      return isWord(before) === isWord(after);
  }
}

/** A compiled pattern. */
export interface LinearRegex {
  /** True when the pattern matches somewhere in the text. */
  test(text: string): boolean;
  /** States of the automaton: times the characters of a text, the most work a test can be. */
  readonly size: number;
}

/** Compiles a pattern. Throws RegexError, with a sentence that says what is wrong. `most`: states it may have. */
export function compileRegex(pattern: string, most: number = MAX_PROGRAM): LinearRegex {
  const tree = parseRegex(pattern);
  const compiler = new Compiler(most);
  const accept = compiler.emit({ op: 'match' });
  const start = compiler.tree(tree, accept);
  const { code } = compiler;

  // States of one step, without repeats: `marks` holds the step that listed a state last.
  const marks = new Uint32Array(code.length);
  let step = 0;

  /** Lists a state and all it reaches without reading a character. True when the end of the pattern is among them. */
  const follow = (from: number, states: number[], before: string | undefined, after: string | undefined): boolean => {
    const todo = [from];
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      if (marks[at] === step) continue;
      marks[at] = step;
      const instruction = code[at];
      switch (instruction?.op) {
        case 'match':
          return true;
        case 'split':
          todo.push(instruction.other, instruction.next);
          break;
        case 'assert':
          if (holds(instruction.what, before, after)) todo.push(instruction.next);
          break;
        case 'char':
          states.push(at);
          break;
        case undefined:
          break;
      }
    }
    return false;
  };

  return {
    size: code.length,
    test(text) {
      const characters = [...text];
      marks.fill(0);
      step = 1;
      let states: number[] = [];
      for (let i = 0; i <= characters.length; i++) {
        const here = characters[i];
        // A match may begin at every character.
        if (follow(start, states, characters[i - 1], here)) return true;
        if (here === undefined) break;
        step++;
        const next: number[] = [];
        for (const at of states) {
          const instruction = code[at];
          if (instruction?.op !== 'char' || !instruction.test(here)) continue;
          if (follow(instruction.next, next, here, characters[i + 1])) return true;
        }
        states = next;
      }
      return false;
    },
  };
}
