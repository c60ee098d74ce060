/**
 * Go text/template, exact to the byte (as of Go 1.19), safe and fast.
 *
 *   text ── lexer (tokens), token-buffer, parser, pipeline-parser (numbers) ──▶ nodes
 *   nodes ── control (steps), expressions, fields, calls ──▶ Program, which state.ts runs; quick is its fast lane
 *   functions: builtins (compare, indexing, escape, printf, printer, format) and host objects (values.ts)
 *   dots: any JSON value, or machineDot (typed-fields, machine-type, info-type, param-functions, parse-url, go-json, go-yaml)
 *
 * The room touches no store, file, network or clock: functions that need those are handed in. Every failure is a
 * TemplateError; every rendering is bounded by RenderLimits; nothing but own properties of the data is ever read.
 */

export { TemplateError } from './errors.ts';
export { type AuthOutcome, type MachineDotOptions, machineDot, type TokenFunctions } from './machine-dot.ts';
export { type RecordedMachine, recordedMachineDot } from './recorded-machine.ts';
export { cachedTemplate, parseTemplate } from './template.ts';
export type { MissingKey } from './values.ts';
export { writtenForms } from './written-forms.ts';
