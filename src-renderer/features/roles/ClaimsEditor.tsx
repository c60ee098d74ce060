import { ActionIcon, Autocomplete, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconInfoCircle, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { type Claim, knownHere, type Lint, lintClaims } from '../../../src-main/contract/claims/index.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { verbatim } from '../../ui/verbatim.ts';
import { actionsOf, lastOf, withItem, withLast } from '../common/claim-suggestions.ts';
import { namesWith, useNames } from '../common/use-names.ts';
import classes from './ClaimsEditor.module.css';
import { FieldPicker } from './FieldPicker.tsx';

interface ClaimsEditorProps {
  readonly role: string;
  readonly claims: readonly Claim[];
  readonly locked: string | undefined;
  readonly onChange: (claims: readonly Claim[]) => void;
}

const LINT_ICONS = { error: IconCircleX, warning: IconAlertTriangle, hint: IconInfoCircle } as const;
const LINT_WORDS = { error: 'Error', warning: 'Warning', hint: 'Hint' } as const;
const SCOPES = ['*', ...[...knownHere.keys()].sort()];

/** Each claim as three fields, its stored form verbatim, and what is odd about it. */
export function ClaimsEditor({ role, claims, locked, onChange }: ClaimsEditorProps) {
  const lints = useMemo(() => lintClaims(claims, role), [claims, role]);
  const list = useRef<HTMLOListElement>(null);
  const change = (index: number, part: Partial<Claim>) =>
    onChange(claims.map((claim, i) => (i === index ? { ...claim, ...part } : claim)));
  const add = () => {
    onChange([...claims, { scope: '', action: '', specific: '*' }]);
    requestAnimationFrame(() => list.current?.lastElementChild?.querySelector('input')?.focus());
  };
  return (
    <>
      <ol ref={list} className={classes['claims']}>
        {claims.map((claim, index) => (
          <ClaimCard
            // biome-ignore lint/suspicious/noArrayIndexKey: claims have no identity but their place
            key={index}
            index={index}
            claim={claim}
            lints={lints.filter((lint) => lint.claimIndex === index)}
            readOnly={locked !== undefined}
            onChange={(part) => change(index, part)}
            onRemove={() => onChange(claims.filter((_, i) => i !== index))}
          />
        ))}
      </ol>
      <GuardedButton size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} locked={locked} onClick={add}>
        Add claim
      </GuardedButton>
    </>
  );
}

interface ClaimCardProps {
  readonly index: number;
  readonly claim: Claim;
  readonly lints: readonly Lint[];
  readonly readOnly: boolean;
  readonly onChange: (part: Partial<Claim>) => void;
  readonly onRemove: () => void;
}

function ClaimCard({ index, claim, lints, readOnly, onChange, onRemove }: ClaimCardProps) {
  return (
    <li className={classes['card']} aria-label={`Claim ${index + 1}`}>
      <div className={classes['fields']}>
        <Autocomplete
          label="Scope"
          size="xs"
          readOnly={readOnly}
          data={SCOPES}
          limit={40}
          value={claim.scope}
          onChange={(scope) => onChange({ scope })}
        />
        <Autocomplete
          label="Action"
          size="xs"
          readOnly={readOnly}
          data={actionsOf(claim.scope)}
          filter={({ options, search }) => completeLast(options, search)}
          limit={40}
          value={claim.action}
          onChange={(action) => onChange({ action })}
          onOptionSubmit={(action) => queueMicrotask(() => onChange({ action: withLast(claim.action, action) }))}
          {...(readOnly
            ? {}
            : {
                rightSection: (
                  <FieldPicker
                    scope={claim.scope}
                    onPick={(action) => onChange({ action: withItem(claim.action, action) })}
                  />
                ),
              })}
        />
        <SpecificField claim={claim} readOnly={readOnly} onChange={(specific) => onChange({ specific })} />
        {readOnly ? null : (
          <Tooltip label={`Remove claim ${index + 1}`}>
            <ActionIcon className={classes['remove'] ?? ''} aria-label={`Remove claim ${index + 1}`} onClick={onRemove}>
              <IconTrash size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <code className={classes['stored']}>
        {verbatim(JSON.stringify({ scope: claim.scope, action: claim.action, specific: claim.specific }))}
      </code>
      {lints.map((lint) => {
        const Icon = LINT_ICONS[lint.severity];
        return (
          <p key={lint.code + lint.message} className={classes['lint']} data-severity={lint.severity}>
            <Icon size={14} aria-hidden />
            <span>
              <b>{LINT_WORDS[lint.severity]}:</b> {lint.message}
            </span>
          </p>
        );
      })}
    </li>
  );
}

type Options = Parameters<NonNullable<React.ComponentProps<typeof Autocomplete>['filter']>>[0]['options'];

/** Suggests for the last item of a comma list only, so that `get,li` still finds `list`. */
function completeLast(options: Options, search: string): Options {
  const last = lastOf(search).toLowerCase();
  return options.filter((option) => 'label' in option && option.label.toLowerCase().includes(last));
}

const SUGGESTED = 20;

interface SpecificFieldProps {
  readonly claim: Claim;
  readonly readOnly: boolean;
  readonly onChange: (specific: string) => void;
}

/** Identifiers, found by name: a machine is stored by its UUID, and its name stands below. */
function SpecificField({ claim, readOnly, onChange }: SpecificFieldProps) {
  const names = useNames(claim.scope.trim());
  const wanted = lastOf(claim.specific);
  const named = claim.specific
    .split(',')
    .flatMap((id) => names?.nameOf.get(id.trim()) ?? [])
    .filter((name) => !claim.specific.includes(name));
  return (
    <Autocomplete
      label="Specific"
      size="xs"
      readOnly={readOnly}
      data={['*', ...namesWith(names, names?.nameOf.has(wanted) ? '' : wanted, SUGGESTED)]}
      filter={({ options }) => options}
      description={named.length > 0 ? named.slice(0, 5).join(', ') : undefined}
      inputWrapperOrder={['label', 'input', 'description']}
      value={claim.specific}
      onChange={onChange}
      onOptionSubmit={(name) =>
        // The field takes over the chosen text first.
        queueMicrotask(() => onChange(name === '*' ? name : withLast(claim.specific, names?.idOf.get(name) ?? name)))
      }
    />
  );
}
