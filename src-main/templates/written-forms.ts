/** How functions of a template write a text, for whoever has to find it again in what was rendered. */
import { quote } from '../kit/go-quote.ts';
import { toBytes } from '../kit/go-string.ts';
import { escapeHtml, escapeJs, escapeQuery } from './escape.ts';
import { toGoJson } from './go-json.ts';
import { toGoYaml } from './go-yaml.ts';

const unquoted = (text: string): string => text.replace(/^(["'])([\s\S]*)\1$/, '$2');

/** Without the quotation marks around it; that of ParamAsYAML as long as it is one line. */
export function writtenForms(text: string): readonly string[] {
  return [
    unquoted(toGoJson(text)),
    unquoted(toGoYaml(text).trim()),
    unquoted(quote(text)),
    escapeHtml(text),
    escapeJs(text),
    escapeQuery(toBytes(text)),
  ];
}
