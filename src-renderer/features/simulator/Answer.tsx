import { IconArrowDown, IconCircleCheck, IconCircleX, IconMinus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ExplainedClaim, ExplainedNeed, Explanation, Rung } from '../../../src-main/contract/access-answers.ts';
import { claimText } from '../../../src-main/contract/claims/index.ts';
import { REASONS } from '../../api/access.ts';
import { linkTo } from '../../paths.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { verbatim } from '../../ui/verbatim.ts';
import classes from './Answer.module.css';

const RUNGS: Readonly<Record<Rung, string>> = {
  token: 'Token',
  tenant: 'Tenant',
  claim: 'Claims',
  license: 'License',
};
const MARKS = { pass: IconCircleCheck, stop: IconCircleX, 'not evaluated': IconMinus } as const;

/** The verdict, the ladder that led to it, and each claim the request needs. */
export function Answer({ answer }: { answer: Explanation }) {
  return (
    <div aria-live="polite" data-testid="explanation">
      <Notice
        tone={answer.Allowed ? 'ok' : 'danger'}
        content={{
          title: answer.Allowed ? 'Allowed' : `Refused: ${answer.Reason === '' ? 'unknown' : REASONS[answer.Reason]}`,
          lines: [answer.Sentence],
        }}
      />
      <h3 className={classes['heading']}>Steps</h3>
      <ol className={classes['ladder']}>
        {answer.Ladder.map(({ Rung: rung, Verdict: verdict, Sentence: sentence }) => {
          const Mark = MARKS[verdict];
          return (
            <li key={rung}>
              <Mark size={17} aria-hidden className={classes['mark']} data-tone={verdict} />
              <div>
                <b className={verdict === 'not evaluated' ? classes['off'] : undefined}>{RUNGS[rung]}</b>{' '}
                <span className={classes['word']}>{verdict}</span>
                {sentence === '' ? null : <p>{sentence}</p>}
              </div>
            </li>
          );
        })}
      </ol>
      <h3 className={classes['heading']}>
        {answer.Claims.length === 0
          ? 'No claim needed'
          : answer.Claims.length === 1
            ? '1 claim needed'
            : `${answer.Claims.length} claims needed`}
      </h3>
      <ul className={classes['claims']}>
        {answer.Claims.map((need) => (
          <Need key={claimText(need)} need={need} />
        ))}
      </ul>
    </div>
  );
}

function Need({ need }: { need: ExplainedNeed }) {
  const Mark = need.Granted ? IconCircleCheck : IconCircleX;
  const miss = need.NearestMiss;
  return (
    <li>
      <div className={classes['need']}>
        <Mark size={17} aria-hidden className={classes['mark']} data-tone={need.Granted ? 'pass' : 'stop'} />
        <code>{verbatim(claimText(need))}</code>
        <span className={classes['word']}>{need.Granted ? 'granted' : 'not granted'}</span>
      </div>
      {need.By ? (
        <p>
          By <Place at={need.By} />: <code>{verbatim(claimText(need.By.claim))}</code>
        </p>
      ) : null}
      {need.Narrowed ? <p>The user has this right; the token was narrowed to less.</p> : null}
      {miss ? (
        <>
          <p>
            Nearest miss: <Place at={miss} />{' '}
            <code className={classes['miss']}>
              {(['scope', 'action', 'specific'] as const).map((field) =>
                miss.Lacks.some((lack) => lack.Field === field) ? (
                  <mark key={field}>{verbatim(miss.claim[field] || '""')}</mark>
                ) : (
                  <span key={field}>{verbatim(miss.claim[field] || '""')}</span>
                ),
              )}
            </code>
          </p>
          <ul className={classes['lacks']}>
            {miss.Lacks.map((lack) => (
              <li key={lack.Field}>{lack.Sentence}</li>
            ))}
          </ul>
        </>
      ) : null}
      {need.Smallest ? (
        <div className={classes['smallest']}>
          <IconArrowDown size={15} aria-hidden className={classes['mark']} />
          <span>
            Smallest claim that would grant it: <code>{verbatim(claimText(need.Smallest))}</code>
          </span>
          <CopyButton text={JSON.stringify(need.Smallest)} label="Copy" />
        </div>
      ) : null}
    </li>
  );
}

/** Whose claim it is: a role, to go to, or nobody's. */
function Place({ at }: { at: ExplainedClaim }) {
  if (at.role === null) return <span>a claim of no role</span>;
  return (
    <>
      role <Link {...linkTo('roles', at.role)}>{at.role}</Link>
    </>
  );
}
