/** Boot environments and the isos they are made from (wire-format.md 4.7): one without its iso is there, but cannot be used. */
import type { Json, JsonObject } from '../kit/json.ts';
import type { RuleTable } from './types.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of the isos that a boot environment needs, each once. */
export function isosOf(bootEnv: JsonObject): readonly string[] {
  const os = bootEnv['OS'];
  if (!isObject(os)) return [];
  const architectures = os['SupportedArchitectures'];
  const named = [os, ...(isObject(architectures) ? Object.values(architectures).filter(isObject) : [])];
  return [
    ...new Set(named.map((one) => one['IsoFile']).filter((name): name is string => typeof name === 'string')),
  ].filter((name) => name !== '');
}

export function isoRules(hasIso: (name: string) => boolean): RuleTable {
  return {
    bootenvs: [
      { unavailable: (value) => isosOf(value).flatMap((name) => (hasIso(name) ? [] : [`Missing ISO file ${name}`])) },
    ],
  };
}
