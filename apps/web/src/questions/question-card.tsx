import type { OpenQuestion } from '@turnwire/client/gateway';
import { lazy, type ReactNode, Suspense } from 'react';
import { PermissionCard } from './permission-card.tsx';

const Elicitation = lazy(() => import('./elicitation.tsx').then((module) => ({ default: module.Elicitation })));

/** A card with a question of the agent. */
export function QuestionCard({
  question,
  more,
}: {
  readonly question: OpenQuestion;
  /** The number of questions queued behind it. */
  readonly more: number;
}): ReactNode {
  return (
    <section className="question" aria-label="The agent asks">
      {question.type === 'permission' ? (
        <PermissionCard question={question} />
      ) : (
        <Suspense fallback={<p className="faint">Loading the question…</p>}>
          <Elicitation question={question} />
        </Suspense>
      )}
      {more > 0 && <p className="faint">{more === 1 ? 'One more question waits.' : `${more} more questions wait.`}</p>}
    </section>
  );
}
