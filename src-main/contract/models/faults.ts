/** Checks that several models share: names, templates, references in lists (wire-format.md 2.5, 4). */
import { isJsonObject, type JsonObject } from '../../kit/json.ts';
import { listOf, objectOf, textOf, textsOf } from '../../kit/json-read.ts';
import { isName, MACHINE_NAME, type NameRule, PARAM_NAME, PLAIN_NAME } from '../../kit/names.ts';
import type { Prefix, Reference } from './definition.ts';

/** `` <label> `<value>` `` when the text breaks the rule. */
export function nameFaults(label: string, text: string, rule: NameRule = PLAIN_NAME): string[] {
  return isName(text, rule) ? [] : [`${label} \`${text}\``];
}

export function namesFaults(label: string, texts: readonly string[], rule: NameRule = PLAIN_NAME): string[] {
  return texts.flatMap((text) => nameFaults(label, text, rule));
}

/** Faults of RequiredParams and OptionalParams. */
export function paramListFaults(value: JsonObject): string[] {
  return [
    ...namesFaults('Invalid Required Param', textsOf(value, 'RequiredParams'), PARAM_NAME),
    ...namesFaults('Invalid Optional Param', textsOf(value, 'OptionalParams'), PARAM_NAME),
  ];
}

/** Faults in the names of Params. */
export function paramNameFaults(value: JsonObject): string[] {
  return namesFaults('Invalid Param Name', Object.keys(objectOf(value, 'Params')), PARAM_NAME);
}

/** Faults of template infos; only tasks may leave out the Path. */
export function templateFaults(value: JsonObject, needsPath: boolean): string[] {
  return listOf(value, 'Templates').flatMap((entry, i) => {
    const template = isJsonObject(entry) ? entry : {};
    const name = textOf(template, 'Name');
    const id = textOf(template, 'ID');
    const found: string[] = [];
    if (name === '') found.push(`Template[${i}] is missing a Name`);
    else found.push(...nameFaults('Invalid Template Name', name));
    if (needsPath && textOf(template, 'Path') === '') found.push(`Template[${i}] is missing a Path`);
    const hasContents = textOf(template, 'Contents') !== '';
    if (id === '' && !hasContents && textOf(template, 'Link') === '')
      found.push(`Template[${i}] must have either an ID or Contents set`);
    if (id !== '' && hasContents) found.push(`Template[${i}] has both an ID and Contents`);
    if (id !== '') found.push(...nameFaults('Invalid Template ID', id, MACHINE_NAME));
    return found;
  });
}

/** Common templates named by ID. */
export function templateReferences(value: JsonObject): Reference[] {
  return listOf(value, 'Templates').flatMap((entry, i) => {
    const id = isJsonObject(entry) ? textOf(entry, 'ID') : '';
    if (id === '') return [];
    const message = `Templates[${i}]: No common template for ${id}`;
    return [{ kind: 'templates' as const, key: id, message, hard: false, pointer: `/Templates/${i}/ID` }];
  });
}

/** One reference for each text of a list field. */
export function listReferences(
  value: JsonObject,
  field: string,
  kind: Prefix,
  message: (key: string, index: number) => string,
  hard = false,
): Reference[] {
  return textsOf(value, field).map((key, i) => ({
    kind,
    key,
    message: message(key, i),
    hard,
    pointer: `/${field}/${i}`,
  }));
}

/** A reference in a single field; none while the field is empty. */
export function fieldReference(
  value: JsonObject,
  field: string,
  kind: Prefix,
  label: string,
  hard = false,
): Reference[] {
  const key = textOf(value, field);
  return key === '' ? [] : [{ kind, key, message: `${label} ${key} does not exist`, hard, pointer: `/${field}` }];
}

export const missingProfile = (name: string, index: number): string => `Profile ${name} (at ${index}) does not exist`;
export const missingTask = (name: string, index: number): string => `Task ${name} (at ${index}) does not exist`;
