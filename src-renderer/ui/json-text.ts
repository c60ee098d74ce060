/** JSON.parse with a sentence that says where: line and column from 1. Pure. */

type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

export function parseJson(text: string): ParsedJson {
  if (text.trim() === '') return { ok: false, message: 'Empty: a JSON value is needed here.' };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // Engines name the place as an offset, as line and column, or not at all (then the text just ends too early).
    const offset = /position (\d+)/.exec(reason)?.[1];
    const at = offset === undefined ? text.length : Number(offset);
    const before = text.slice(0, at).split('\n');
    const what = reason
      .replace(/^JSON\.parse: /, '')
      .replace(/ in JSON at position.*| \(line \d+ column \d+\)|,? "[\s\S]*" is not valid JSON/g, '');
    return { ok: false, message: `Line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${what}` };
  }
}
