/** Files that people hand to a command. */
import { readFileSync } from 'node:fs';
import type { Json } from '../kit/json.ts';

/** Input that cannot be understood. The message says which file and which part of it. */
export class InputError extends Error {}

/** How messages call a file of the command line, where `-` is standard input. */
export const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);

/** Throws InputError. */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new InputError(`cannot read ${nameOf(file)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Throws InputError. */
export function readJson(file: string): Json {
  const text = readText(file);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new InputError(`${nameOf(file)} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
