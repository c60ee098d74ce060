import { SegmentedControl, Textarea } from '@mantine/core';
import { useId } from 'react';
import type { Json } from '../../../src-main/kit/json.ts';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import classes from './RunCallbackDialog.module.css';

export type Override =
  | { readonly kind: 'none' }
  | { readonly kind: 'template'; readonly value: string }
  | { readonly kind: 'json'; readonly value: Json };

interface OverrideFieldsProps {
  readonly value: Override;
  readonly onChange: (value: Override) => void;
  readonly onFault: (fault: string | undefined) => void;
}

/** `callback/data-override` is an argument of the run only: a text is a template, anything else is sent as JSON. */
export function OverrideFields({ value, onChange, onFault }: OverrideFieldsProps) {
  const label = useId();
  return (
    <div>
      <p className={classes['label']} id={label}>
        Data sent
      </p>
      <SegmentedControl
        size="xs"
        aria-labelledby={label}
        value={value.kind}
        data={[
          { value: 'none', label: 'The machine' },
          { value: 'template', label: 'Template text' },
          { value: 'json', label: 'JSON' },
        ]}
        onChange={(kind) => {
          onFault(undefined);
          if (kind === 'template') onChange({ kind, value: '' });
          else if (kind === 'json') onChange({ kind, value: {} });
          else onChange({ kind: 'none' });
        }}
      />
      {value.kind === 'template' ? (
        <Textarea
          mt={8}
          aria-label="Template text"
          placeholder='{"host": "{{.Machine.Name}}"}'
          spellCheck={false}
          value={value.value}
          onChange={(event) => onChange({ kind: 'template', value: event.currentTarget.value })}
        />
      ) : null}
      {value.kind === 'json' ? (
        <div style={{ marginTop: 8 }}>
          <JsonEditor
            label="Data override as JSON"
            value={value.value}
            minHeight={90}
            onError={onFault}
            accept={(json) =>
              typeof json === 'string' ? 'A text would be read as a template; choose Template text.' : undefined
            }
            onChange={(json) => onChange({ kind: 'json', value: json as Json })}
          />
        </div>
      ) : null}
    </div>
  );
}
