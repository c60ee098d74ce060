/**
 * The machine form of the vector files and of `template render --batch`: a machine with everything its template may
 * ask for written down beside it, programs included.
 */
import { type AuthOutcome, machineDot, type TokenFunctions } from './machine-dot.ts';
import { entry, type JsonObject, jsonObject, stringOf, textOf } from './typed-fields.ts';
import type { GoValue } from './values.ts';

/** `{machine, info, params?, param_defaults?, auths?, executables?}`; `executables` says what running a path gives. */
export interface RecordedMachine {
  readonly machine: JsonObject;
  readonly info: JsonObject;
  readonly params?: JsonObject | undefined;
  readonly param_defaults?: JsonObject | undefined;
  readonly auths?: JsonObject | undefined;
  readonly executables?: JsonObject | undefined;
}

export function recordedMachineDot(recorded: RecordedMachine, tokens?: TokenFunctions): GoValue {
  const { machine, info, params } = recorded;
  return machineDot({
    machine,
    info,
    params,
    paramDefault: (name) => recorded.param_defaults && entry(recorded.param_defaults, name),
    authString: (name) => recordedRun(recorded, name),
    ...(tokens && { tokens }),
  });
}

function recordedRun(recorded: RecordedMachine, name: string): AuthOutcome {
  const auth = jsonObject(recorded.auths && entry(recorded.auths, name));
  if (auth === undefined) return { kind: 'unknown' };
  const path = stringOf(entry(auth, 'Path'));
  const run = jsonObject(recorded.executables && entry(recorded.executables, path));
  if (run === undefined) {
    return { kind: 'failed', path, output: '', reason: `fork/exec ${path}: no such file or directory` };
  }
  const output = textOf(entry(run, 'output'));
  const exit = entry(run, 'exit');
  if (typeof exit === 'number' && exit !== 0) return { kind: 'failed', path, output, reason: `exit status ${exit}` };
  return { kind: 'ran', output };
}
