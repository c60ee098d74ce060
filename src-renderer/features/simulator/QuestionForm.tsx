import { Autocomplete, Button, Group, PasswordInput, SegmentedControl, Select, Stack } from '@mantine/core';
import type { Json } from '../../../src-main/kit/json.ts';
import { type Question, questionBody } from '../../api/access.ts';
import { API, pathOf } from '../../api/client.ts';
import { curlOf } from '../../api/curl.ts';
import { useList } from '../../api/queries.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { JsonEditor } from '../../ui/JsonEditor.tsx';
import { CopyCurl } from '../../ui/Notice.tsx';
import { type Draft, EXAMPLE_PATCH, METHODS, questionOf, takesBody } from './question.ts';

interface QuestionFormProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly locked: string | undefined;
  readonly busy: boolean;
  readonly onAsk: (question: Question) => void;
}

const COLLECTIONS = ['machines', 'users', 'roles', 'tenants', 'plugins', 'jobs', 'profiles', 'params', 'x/deliveries'];

export function QuestionForm({ draft, onChange, locked, busy, onAsk }: QuestionFormProps) {
  const users = useList('users').data?.rows;
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  const { question, missing } = questionOf(draft);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (question && locked === undefined && !busy) onAsk(question);
      }}
    >
      <Stack gap={12}>
        <SegmentedControl
          size="xs"
          aria-label="Who"
          value={draft.who}
          onChange={(who) => change({ who: who as Draft['who'] })}
          data={[
            { value: 'user', label: 'A user' },
            { value: 'token', label: 'A token' },
          ]}
        />
        {draft.who === 'user' ? (
          <Autocomplete
            label="User"
            value={draft.user}
            onChange={(user) => change({ user })}
            data={users?.map((user) => user.Name) ?? []}
            limit={40}
            spellCheck={false}
          />
        ) : (
          <PasswordInput
            label="Token"
            placeholder="Paste a token"
            autoComplete="off"
            value={draft.token}
            onChange={(event) => change({ token: event.currentTarget.value })}
          />
        )}
        <Group gap={8} align="end" wrap="nowrap">
          <Select
            label="Method"
            w={110}
            data={METHODS}
            value={draft.method}
            onChange={(method) => method && change({ method })}
            allowDeselect={false}
          />
          <Autocomplete
            label="Path"
            placeholder="/machines"
            style={{ flex: 1 }}
            value={draft.path}
            onChange={(path) => change({ path })}
            data={COLLECTIONS.map((name) => `${API}/${name}`)}
            spellCheck={false}
          />
        </Group>
        {takesBody(draft.method) ? <BodyField draft={draft} onChange={change} /> : null}
        <Group justify="space-between" gap={8}>
          <CopyCurl
            text={curlOf(location.origin, {
              method: 'POST',
              path: `${API}/x/access/explain`,
              body: question
                ? questionBody(question)
                : { user: draft.user, method: draft.method, path: draft.path || pathOf('machines') },
            })}
          />
          <GuardedButton type="submit" variant="filled" locked={locked ?? missing} loading={busy}>
            Explain
          </GuardedButton>
        </Group>
      </Stack>
    </form>
  );
}

/** Which fields a write touches decides which claims it needs; so the body is part of the question. */
function BodyField({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  if (draft.body === undefined) {
    return (
      <Group gap={8} justify="space-between">
        <p className="hint">
          {draft.method === 'PATCH'
            ? 'Each field of a patch needs its own claim: without a body none is looked at.'
            : 'Without a body only the claim of the request itself is looked at.'}
        </p>
        <Button size="compact-sm" onClick={() => onChange({ body: draft.method === 'PATCH' ? EXAMPLE_PATCH : {} })}>
          Add a body
        </Button>
      </Group>
    );
  }
  return (
    <div>
      <JsonEditor
        label="Body as JSON"
        value={draft.body}
        minHeight={110}
        onChange={(body) => onChange({ body: body as Json, bodyFault: undefined })}
        onError={(bodyFault) => onChange({ bodyFault })}
      />
      <Group justify="flex-end" mt={6}>
        <Button size="compact-sm" onClick={() => onChange({ body: undefined, bodyFault: undefined })}>
          Remove the body
        </Button>
      </Group>
    </div>
  );
}
