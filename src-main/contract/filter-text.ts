/**
 * The text of one filter value (wire-format.md 3.4): `Op(argument)`, or a bare value, which means `Eq(value)`. The argument
 * ends at the first `)`; that of `Re` at the last one, since patterns have parentheses of their own.
 */

/** Asks for equality or order. */
export type OrderedFilter =
  | { readonly op: 'Eq' | 'Ne' | 'Lt' | 'Lte' | 'Gt' | 'Gte'; readonly argument: string }
  | { readonly op: 'Between' | 'Except'; readonly low: string; readonly high: string }
  | { readonly op: 'In' | 'Nin'; readonly items: readonly string[] };

export type FilterText = OrderedFilter | { readonly op: 'Re'; readonly pattern: string };

const OPERATION = /^(Eq|Ne|Lt|Lte|Gt|Gte|Between|Except|In|Nin|Re)\(/;

/** Cuts at commas that stand outside of JSON strings, lists and objects. */
function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isQuoted) {
      if (character === '\\') i++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"' && text.slice(from, i).trim() === '') isQuoted = true;
    else if (character === '"' && depth > 0) isQuoted = true;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    else if (character === ',' && depth <= 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** Reads one filter value; a text with the parts of an operation missing is `undefined`. */
export function readFilterText(text: string): FilterText | undefined {
  const op = OPERATION.exec(text)?.[1];
  if (op === undefined) return { op: 'Eq', argument: text };
  const open = op.length + 1;
  const close = op === 'Re' ? text.lastIndexOf(')') : text.indexOf(')', open);
  if (close < open) return { op: 'Eq', argument: text };
  const argument = text.slice(open, close);
  switch (op) {
    case 'Eq':
    case 'Ne':
    case 'Lt':
    case 'Lte':
    case 'Gt':
    case 'Gte':
      return { op, argument };
    case 'Between':
    case 'Except': {
      const parts = splitArguments(argument).map((part) => part.trim());
      const [low, high] = parts;
      return low === undefined || high === undefined || parts.length !== 2 ? undefined : { op, low, high };
    }
    case 'In':
    case 'Nin':
      return { op, items: splitArguments(argument).map((part) => part.trim()) };
    default:
      return { op: 'Re', pattern: argument };
  }
}
