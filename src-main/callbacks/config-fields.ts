/**
 * Reads the fields of one configuration structure: every wrong type is a sentence, never a throw, and the reading goes on
 * with the default, so that one answer names everything that is wrong.
 */
import { isJsonObject, type Json, type JsonObject } from '../kit/json.ts';

export interface Findings {
  /** The plugin is saved, but not Available. */
  readonly errors: string[];
  /** Worth saying; nothing is refused. */
  readonly warnings: string[];
}

/** `text "abc"`, `a number`: what a message calls a value. Contents stay out, they may be secret. */
export function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'true or false' : 'a number';
}

export class FieldReader {
  readonly #source: JsonObject;
  readonly #place: string;
  readonly #findings: Findings;
  readonly #left: Set<string>;

  /** `place` names the structure in messages: `callback/callbacks: complete`. */
  constructor(source: JsonObject, place: string, findings: Findings) {
    this.#source = source;
    this.#place = place;
    this.#findings = findings;
    this.#left = new Set(Object.keys(source));
  }

  error(sentence: string): void {
    this.#findings.errors.push(`${this.#place}: ${sentence}`);
  }

  warn(sentence: string): void {
    this.#findings.warnings.push(`${this.#place}: ${sentence}`);
  }

  /** Absent and null are the same: not given. Another letter case is read as the field, as existing services do. */
  take(field: string): Json | undefined {
    let key: string | undefined = Object.hasOwn(this.#source, field) ? field : undefined;
    if (key === undefined) {
      const wanted = field.toLowerCase();
      for (const other of this.#left) {
        if (other.toLowerCase() !== wanted) continue;
        key = other;
        this.warn(`${other} is read as ${field}`);
        break;
      }
    }
    if (key === undefined) return undefined;
    this.#left.delete(key);
    return this.#source[key] ?? undefined;
  }

  text(field: string): string {
    const value = this.take(field);
    if (value === undefined) return '';
    if (typeof value === 'string') return value;
    this.error(`${field} must be text, not ${kindOf(value)}`);
    return '';
  }

  flag(field: string): boolean {
    const value = this.take(field);
    if (value === undefined) return false;
    if (typeof value === 'boolean') return value;
    this.error(`${field} must be true or false, not ${kindOf(value)}`);
    return false;
  }

  /** A whole number from `least` to `most`. */
  whole(field: string, fallback: number, least = 0, most = Number.MAX_SAFE_INTEGER): number {
    const value = this.take(field);
    if (value === undefined) return fallback;
    const number = this.#number(field, value, fallback, least, true);
    if (number <= most) return number;
    this.error(`${field} must not be more than ${most}, it is ${number}`);
    return fallback;
  }

  number(field: string, fallback: number, least = 0): number {
    const value = this.take(field);
    if (value === undefined) return fallback;
    return this.#number(field, value, fallback, least, false);
  }

  #number(field: string, value: Json, fallback: number, least: number, whole: boolean): number {
    const wanted = whole ? 'a whole number' : 'a number';
    if (typeof value !== 'number') {
      this.error(`${field} must be ${wanted}, not ${kindOf(value)}`);
    } else if (value < least) {
      this.error(`${field} must not be ${least === 0 ? 'negative' : `less than ${least}`}, it is ${value}`);
    } else if (whole && !Number.isSafeInteger(value)) {
      this.error(`${field} must be ${wanted}, it is ${value}`);
    } else {
      return value;
    }
    return fallback;
  }

  texts(field: string): readonly string[] {
    const value = this.take(field);
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.error(`${field} must be a list of texts${Array.isArray(value) ? '' : `, not ${kindOf(value)}`}`);
    return [];
  }

  textMap(field: string): Readonly<Record<string, string>> {
    const value = this.take(field);
    if (value === undefined) return {};
    if (!isJsonObject(value)) {
      this.error(`${field} must be a map of texts, not ${kindOf(value)}`);
      return {};
    }
    const map: Record<string, string> = {};
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'string') map[key] = item;
      else this.error(`${field}: ${key} must be text, not ${kindOf(item)}`);
    }
    return map;
  }

  /** A nested structure; undefined when not given. */
  nested(field: string): FieldReader | undefined {
    const value = this.take(field);
    if (value === undefined) return undefined;
    if (isJsonObject(value)) return new FieldReader(value, `${this.#place}: ${field}`, this.#findings);
    this.error(`${field} must be an object, not ${kindOf(value)}`);
    return undefined;
  }

  /** Says which fields nobody asked for. */
  finish(): void {
    for (const key of this.#left) this.warn(`${key} is not a field of this structure and has no effect`);
  }
}
