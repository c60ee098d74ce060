/** Reader for the text of an event stream (WHATWG server-sent events), fed in arbitrary pieces. Pure. */

export interface StreamEvent {
  /** `message` unless the stream names another kind. */
  readonly event: string;
  readonly data: string;
  /** The last id that the stream has named; undefined before the first. */
  readonly id: string | undefined;
}

/** Returns a `push` that calls `onEvent` with each complete event, its data lines joined. */
export function createEventParser(onEvent: (event: StreamEvent) => void): (chunk: string) => void {
  let rest = '';
  let event = 'message';
  let data: string[] = [];
  let id: string | undefined;
  return (chunk) => {
    rest += chunk;
    // A lone CR at the end may be the first half of CRLF: it waits for the next piece.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) onEvent({ event, data: data.join('\n'), id });
        data = [];
        event = 'message';
      } else if (line.startsWith('data:')) data.push(fieldValue(line, 5));
      else if (line.startsWith('id:')) id = fieldValue(line, 3);
      else if (line.startsWith('event:')) event = fieldValue(line, 6);
    }
  };
}

/** One blank after the colon belongs to the format. */
function fieldValue(line: string, from: number): string {
  return line.slice(line[from] === ' ' ? from + 1 : from);
}
