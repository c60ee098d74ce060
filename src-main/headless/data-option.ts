/** `--data DIR`, the same for every command. */
import { InvalidArgumentError, Option } from 'commander';

/** An unset variable of a script must not turn into the current directory. */
function directoryName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty: name a directory.');
  return text;
}

export const dataOption = (description = 'data directory'): Option =>
  new Option('--data <dir>', description).argParser(directoryName);

export const requiredDataOption = (description?: string): Option => dataOption(description).makeOptionMandatory();
