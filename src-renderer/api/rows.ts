/**
 * Reads a long JSON array as it arrives, one row at a time and never for longer than a slice: parsing 7 MB in one go would stop
 * the window. A row whose text is the same as last time is the same object as last time, so that screens redraw what changed.
 */

/** Rows with the text each came from; handed back in as `known` at the next reading. */
export interface RowReading<T> {
  readonly rows: readonly T[];
  readonly texts: ReadonlyMap<string, T>;
}

/** Longest stretch without a pause, in ms; a frame has 16. */
const SLICE = 6;

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA] = [...'"\\{}[],'].map((c) => c.charCodeAt(0));

/**
 * Throws SyntaxError when the text is no array of objects or ends early; what the stream throws goes through.
 * `pause` gives the thread free; tests need none.
 */
export async function readRows<T extends object>(
  stream: ReadableStream<Uint8Array>,
  known: ReadonlyMap<string, T> = new Map(),
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve)),
): Promise<RowReading<T>> {
  const rows: T[] = [];
  const texts = new Map<string, T>();
  const split = createSplitter((text) => {
    const row = known.get(text) ?? (JSON.parse(text) as T);
    rows.push(row);
    texts.set(text, row);
  });
  const reader = stream.getReader();
  let since = performance.now();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    for (let at = 0; at < piece.value.length; at = split.push(piece.value, at)) {
      if (performance.now() - since < SLICE) continue;
      await pause();
      since = performance.now();
    }
  }
  split.end();
  return { rows, texts };
}

interface Splitter {
  /** Reads on from `at` to the end of a row or of the piece; answers where it stopped. */
  push(piece: Uint8Array, at: number): number;
  end(): void;
}

/** Finds the objects of an array by counting brackets outside of strings. UTF-8 never hides one of these bytes in a character. */
function createSplitter(onRow: (text: string) => void): Splitter {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  let inString = false;
  let escaped = false;
  let done = false;
  /** A row begun in earlier pieces. */
  let begun: Uint8Array[] = [];

  const push = (piece: Uint8Array, at: number): number => {
    let start = depth > 1 ? at : -1;
    for (let i = at; i < piece.length; i++) {
      const byte = piece[i];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE && depth > 1) {
        inString = true;
      } else if (byte === OPEN || byte === OPEN_LIST) {
        if (done || (depth === 0 && byte !== OPEN_LIST)) throw notRows();
        if (depth === 1) {
          if (byte !== OPEN) throw notRows();
          start = i;
        }
        depth += 1;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth < 0) throw notRows();
        if (depth === 0) done = true;
        else if (depth === 1) {
          begun.push(piece.subarray(start, i + 1));
          onRow(decoder.decode(begun.length === 1 ? begun[0] : joined(begun)));
          begun = [];
          return i + 1;
        }
      } else if (depth < 2 && byte !== COMMA && byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        throw notRows();
      }
    }
    // The reader may use its buffer again.
    if (start >= 0) begun.push(piece.slice(start));
    return piece.length;
  };
  return {
    push,
    end: () => {
      if (!done) throw new SyntaxError('The answer ends before the list does');
    },
  };
}

function notRows(): SyntaxError {
  return new SyntaxError('The answer is no list of objects');
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
