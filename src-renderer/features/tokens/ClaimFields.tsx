import { Autocomplete, Group } from '@mantine/core';
import { type Claim, knownHere } from '../../../src-main/contract/claims/index.ts';
import { actionsOf } from '../common/claim-suggestions.ts';

const SCOPES = ['*', ...[...knownHere.keys()].sort()];

/** One claim as three fields. */
export function ClaimFields({ claim, onChange }: { claim: Claim; onChange: (claim: Claim) => void }) {
  return (
    <Group grow gap={8} align="end">
      <Autocomplete
        label="Scope"
        size="xs"
        data={SCOPES}
        limit={40}
        value={claim.scope}
        onChange={(scope) => onChange({ ...claim, scope })}
      />
      <Autocomplete
        label="Action"
        size="xs"
        data={actionsOf(claim.scope)}
        limit={40}
        value={claim.action}
        onChange={(action) => onChange({ ...claim, action })}
      />
      <Autocomplete
        label="Specific"
        size="xs"
        data={['*']}
        value={claim.specific}
        onChange={(specific) => onChange({ ...claim, specific })}
      />
    </Group>
  );
}
