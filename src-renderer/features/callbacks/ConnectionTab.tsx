import { Switch, Textarea, TextInput } from '@mantine/core';
import { isJsonObject, type Json, type JsonObject } from '../../../src-main/kit/json.ts';
import { Chip } from '../../ui/Chip.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { Facts, Section } from '../../ui/Panel.tsx';
import { maskSecrets, unmaskSecrets } from '../common/secret-mask.ts';
import classes from './CallbackForm.module.css';
import { flagOf, textOf, withField } from './callback-fields.ts';
import type { FieldsProps } from './Schedule.tsx';

const EXTRAS = 'callback/delivery';
const EXTRA_SECRETS = ['/Signing/Secrets/*'];

/** How this instance reaches other services: proxy, trust, and what goes beyond retry and timeout. */
export function ConnectionTab({
  value,
  onChange,
  readOnly,
  onFault,
}: FieldsProps & { onFault: (fault: string | undefined) => void }) {
  const set = (name: string, next: Json | undefined) => onChange(withField(value, name, next));
  const insecure = flagOf(value, 'callback/insecure');
  const extras = isJsonObject(value[EXTRAS]) ? value[EXTRAS] : {};
  return (
    <>
      <Section title="Proxy and TLS" aside={insecure ? <Chip tone="warn">TLS is not checked</Chip> : null}>
        <div className="fields">
          <TextInput
            label="Proxy"
            placeholder="none; http://proxy.example:3128"
            spellCheck={false}
            readOnly={readOnly}
            value={textOf(value, 'callback/proxy')}
            onChange={(event) => set('callback/proxy', event.currentTarget.value || undefined)}
          />
          <Textarea
            label="Own certificate authorities"
            description="PEM text, trusted in addition to those of the system"
            placeholder="-----BEGIN CERTIFICATE-----"
            classNames={{ input: classes['mono'] ?? '' }}
            spellCheck={false}
            readOnly={readOnly}
            value={textOf(value, 'callback/ca')}
            onChange={(event) => set('callback/ca', event.currentTarget.value || undefined)}
          />
          <Switch
            label="Do not check certificates"
            description="Whoever answers is believed: anybody on the way can read and change what is sent"
            checked={insecure}
            disabled={readOnly}
            onChange={(event) => set('callback/insecure', event.currentTarget.checked || undefined)}
          />
        </div>
      </Section>
      <Section title="Delivery extras">
        <Facts
          rows={[
            { label: 'Backoff', value: '{Factor, MaxSeconds, Jitter}: waits grow from Delay, spread by Jitter' },
            { label: 'AttemptTimeout', value: 'Seconds one attempt may take; Timeout rules over all of them' },
            { label: 'Breaker', value: '{Failures, CooldownSeconds}: leaves a failing destination alone for a while' },
            { label: 'Signing', value: '{Secrets: ["whsec_..."]}: Standard Webhooks headers, at most two secrets' },
            { label: 'Egress', value: '{Allow, Deny}: hosts and networks that may be called' },
          ]}
        />
        <p className="hint">All off unless given.</p>
        <div style={{ height: 8 }} />
        <JsonEditor
          label="Delivery extras as JSON"
          value={maskSecrets(extras, EXTRA_SECRETS)}
          readOnly={readOnly}
          minHeight={110}
          accept={(next) => {
            if (!isJsonObject(next)) return 'An object { … } is needed here.';
            const { lost } = unmaskSecrets(next, extras, EXTRA_SECRETS);
            return lost.length > 0 ? `Type the secret again at ${lost.join(', ')}.` : undefined;
          }}
          onError={onFault}
          onChange={(next) => {
            const given = unmaskSecrets(next as JsonObject, extras, EXTRA_SECRETS).value;
            set(EXTRAS, Object.keys(given).length === 0 ? undefined : given);
          }}
        />
      </Section>
    </>
  );
}
