/** The one error this room throws. */
import { toBytes, toValidText } from '../kit/go-string.ts';

interface TemplateErrorPlace {
  /** 1-based line in the text the error is in. */
  readonly line: number;
  /** 0-based column in bytes, as Go counts; the start of the offending token for parse errors. */
  readonly column: number;
}

/** A template that does not parse, or fails while it runs. `message` is Go's full text. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly class: 'parse' | 'exec';
  readonly line: number;
  readonly column: number;
  private written = '';

  constructor(errorClass: 'parse' | 'exec', message: string, place: TemplateErrorPlace) {
    super(toValidText(message));
    this.class = errorClass;
    this.line = place.line;
    this.column = place.column;
  }

  /** What had been written before an exec error; Go leaves that in its output too. */
  get partial(): string {
    return toValidText(this.written);
  }

  partialBytes(): Uint8Array {
    return toBytes(this.written);
  }

  /** For the executor: notes the output up to the error. */
  after(written: string): this {
    this.written = written;
    return this;
  }
}

/** What a function reports inside of a template: becomes "error calling NAME: message" where it was called. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}
