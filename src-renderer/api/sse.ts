/** Reader for the text of an event stream (WHATWG server-sent events), fed in arbitrary pieces. Pure. */

/** Returns a `push` that calls `onData` with the joined data lines of each complete event. */
export function createEventParser(onData: (data: string) => void): (chunk: string) => void {
  let rest = '';
  let data: string[] = [];
  return (chunk) => {
    rest += chunk;
    // A lone CR at the end may be the first half of CRLF: it waits for the next piece.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) onData(data.join('\n'));
        data = [];
      } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    }
  };
}
