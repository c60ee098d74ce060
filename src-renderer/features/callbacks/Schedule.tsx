import { NumberInput } from '@mantine/core';
import type { JsonObject } from '../../../src-main/kit/json.ts';
import classes from './CallbackForm.module.css';
import { DEFAULT_TIMEOUT, numberOf, retryRenamed, scheduleOf, storedAsRetries, withField } from './callback-fields.ts';

/** What a part of a form gets: the structure it edits. */
export interface FieldsProps {
  readonly value: JsonObject;
  readonly onChange: (next: JsonObject) => void;
  readonly readOnly: boolean;
}

/** Timeout, Retry and Delay, and what they come to. */
export function Schedule({ value, onChange, readOnly }: FieldsProps) {
  const alias = storedAsRetries(value);
  const field = (name: string, stored: string, placeholder: string, suffix?: string) => (
    <NumberInput
      label={name}
      placeholder={placeholder}
      {...(suffix ? { suffix } : {})}
      min={0}
      allowDecimal={false}
      readOnly={readOnly}
      value={numberOf(value, stored) ?? ''}
      onChange={(next) => onChange(withField(retryRenamed(value), name, typeof next === 'number' ? next : undefined))}
    />
  );
  return (
    <div>
      <div className={classes['triple']}>
        {field('Timeout', 'Timeout', `${DEFAULT_TIMEOUT} s`, ' s')}
        {field('Retry', alias ? 'Retries' : 'Retry', '0')}
        {field('Delay', 'Delay', '0 s', ' s')}
      </div>
      <p className="hint" aria-live="polite">
        {scheduleOf(value)}
        {alias ? ' Stored as Retries, which is read as Retry; a change here renames it.' : ''}
      </p>
    </div>
  );
}
