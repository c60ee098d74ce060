import { useDocumentTitle } from '@mantine/hooks';
import { IconUserQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { explainRequest, type Question } from '../../api/access.ts';
import { useCan } from '../../api/can.ts';
import { API } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { useHandOver } from '../../api/hand-over.ts';
import { Blank, Loading } from '../../ui/Blank.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { ErrorNotice } from '../common/ErrorNotice.tsx';
import { useScreen } from '../common/use-screen.ts';
import { Answer } from './Answer.tsx';
import { QuestionForm } from './QuestionForm.tsx';
import { type Draft, questionOf, startOf } from './question.ts';

/** Why a user, or a token, may or may not send a request. Asks the server, which decides with the same code. */
export function SimulatorScreen() {
  useDocumentTitle('Access Simulator · Proviso');
  const { search, update } = useScreen();
  const can = useCan();
  // Taken over once: a later visit starts empty again.
  const [draft, setDraft] = useState<Draft>(() => startOf(search, useHandOver.getState().held, can.user));
  useEffect(() => useHandOver.getState().clear(), []);
  const ask = useMutation({ gcTime: 0, mutationFn: explainRequest });
  const { mutate } = ask;
  const submit = (question: Question) => {
    mutate(question);
    const user = 'user' in question.who ? question.who.user : undefined;
    update({ user, method: question.method, path: question.path }, { replace: true });
  };
  // A link with a whole question is answered right away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only as the screen opens
  useEffect(() => {
    const { question } = questionOf(draft);
    if (search.path !== undefined && question) mutate(question);
  }, []);
  const locked = can.locked('users', 'list') ?? can.locked('roles', 'list');
  return (
    <Page
      title="Access Simulator"
      intro="Why a request is allowed or not: the same steps in the same order as when it is decided. Nothing is sent or changed."
    >
      <Card title="Request">
        <QuestionForm draft={draft} onChange={setDraft} locked={locked} busy={ask.isPending} onAsk={submit} />
      </Card>
      <Card title="Answer">
        {ask.error ? (
          <ErrorNotice error={ask.error} announce />
        ) : ask.data ? (
          <Answer answer={ask.data} />
        ) : ask.isPending ? (
          <Loading what="the answer" rows={5} />
        ) : locked === undefined ? (
          <Blank icon={IconUserQuestion} title="No question asked yet">
            <p>Say who sends which request, then press Explain.</p>
          </Blank>
        ) : (
          <ErrorNotice error={deniedBecause(locked)} />
        )}
      </Card>
    </Page>
  );
}

/** The refusal the server would give, said before asking. */
function deniedBecause(locked: string): ApiError {
  const requires = locked.replace(/^Requires: /, '');
  const request = { method: 'POST', path: `${API}/x/access/explain` };
  return new ApiError({ kind: 'denied', requires, messages: [locked] }, 403, request);
}
