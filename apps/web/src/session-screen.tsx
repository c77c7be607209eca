import { planBlock } from '@turnwire/client/view';
import type { AgentWork } from '@turnwire/protocol';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { AgentLogin } from './agent-login.tsx';
import { Composer } from './composer/composer.tsx';
import { ForkDialog, type ForkPoint } from './fork-dialog.tsx';
import { ScreenHeader } from './parts/screen-header.tsx';
import { PageVisits } from './questions/page-visits.tsx';
import { QuestionCard } from './questions/question-card.tsx';
import { BranchChip } from './review/branch-chip.tsx';
import { ReviewButton } from './review/review-button.tsx';
import { useReview } from './review/use-review.ts';
import { folderName } from './state/folder-name.ts';
import type { PageStore } from './state/page-store.ts';
import type { SessionState } from './state/session-state.ts';
import type { SessionStore } from './state/session-store.ts';
import { sessionTitle } from './state/session-title.ts';
import { useStore, useStorePart } from './state/use-store.ts';
import { SessionMenu } from './session-menu.tsx';
import { Usage } from './parts/usage.tsx';
import { ConnectionState } from './parts/connection-state.tsx';
import { Announcements } from './transcript/announcements.tsx';
import { GoBack } from './transcript/go-back.tsx';
import { RowNumber, Unfolded } from './transcript/use-fold.ts';
import { Background, CancelWork } from './transcript/background.tsx';
import { Children } from './transcript/children.tsx';
import { Plan } from './transcript/plan.tsx';
import { SessionFolder } from './transcript/session-folder.ts';
import { TranscriptList } from './transcript/transcript-list.tsx';

const ReviewPanel = lazy(async () => ({ default: (await import('./review/review-panel.tsx')).ReviewPanel }));

/** A session: its transcript, its pending question, and the editor for the next prompt. */
export function SessionScreen({
  page,
  session,
  onMenu,
}: {
  readonly page: PageStore;
  readonly session: SessionStore;
  readonly onMenu: () => void;
}): ReactNode {
  const state = useStore(session.state);
  const { view, questions, role } = state;
  const link = page.link(session.agentName);
  const waiting = useStorePart(
    page.state,
    ({ sessions }) => sessions.filter(({ id, state: doing }) => doing === 'asking' && id !== session.id).length,
  );
  const isAsking = useStorePart(page.state, ({ sessions }) =>
    sessions.some(({ id, state: doing }) => doing === 'asking' && id === session.id),
  );
  const [question] = questions;
  const review = useReview(session);
  const [unfolded] = useState(() => new Map<string, unknown>());
  const [point, setPoint] = useState<ForkPoint>();
  const firstKnown = state.firstRow + view.knownFrom;
  // A session that was never created, or does not exist, takes no prompts.
  const isUnusable = state.phase === 'failed' && view.entries.length === 0;
  const canGoBack = isIdle(state) && role === 'control' && session.forks?.withoutLast === true;
  const goBack = useMemo(
    () =>
      canGoBack
        ? { firstRow: firstKnown, ask: (row: number) => setPoint(forkPoint(session.state.current, row)) }
        : undefined,
    [canGoBack, firstKnown, session],
  );
  const cancelWork = useMemo(
    () => (role === 'control' ? (work: AgentWork) => void session.cancelWork(work) : undefined),
    [role, session],
  );
  useEffect(() => {
    document.title = `${titlePrefix(state, waiting)}${sessionTitle(view)} · Turnwire`;
  });
  return (
    <div className="session">
      <ScreenHeader
        title={sessionTitle(view)}
        place={`${session.agentName} · ${folderName(session.cwd)}`}
        onMenu={onMenu}
      >
        <BranchChip review={review} />
        {role === 'observe' && <span className="badge">watching</span>}
        <Usage view={view} />
        {role === 'control' && <ReviewButton review={review} />}
        <SessionMenu page={page} session={session} />
        {link && <ConnectionState link={link} session={state} isAsking={isAsking} />}
      </ScreenHeader>
      <SessionFolder value={session.cwd}>
        <CancelWork value={cancelWork}>
          <Unfolded value={unfolded}>
            <GoBack value={goBack}>
              <TranscriptList session={session} onRetry={() => link?.retry(session)} onLeave={() => page.leave()} />
            </GoBack>
            <footer className="bottom">
              {view.plans.map((plan, index) => (
                <RowNumber key={plan.planId ?? index} value={-1 - index}>
                  <Plan plan={planBlock(plan)} />
                </RowNumber>
              ))}
              <Children view={view} />
              <Background view={view} />
              <PageVisits session={session} />
              {link && <AgentLogin link={link} />}
              {question && <QuestionCard key={question.id} question={question} more={questions.length - 1} />}
              {role === 'control' && !isUnusable && <Composer session={session} />}
            </footer>
          </Unfolded>
        </CancelWork>
      </SessionFolder>
      {role === 'control' && review.isOpen && (
        <Suspense>
          <ReviewPanel store={review.store} onClose={review.close} />
        </Suspense>
      )}
      <Announcements session={session} />
      <ForkDialog page={page} session={session} point={point} onClose={() => setPoint(undefined)} />
    </div>
  );
}

/** Whether the agent accepts a fork now. */
function isIdle({ phase, workingSince }: SessionState): boolean {
  return phase === 'ready' && workingSince === undefined;
}

/** The prompt of the turn of a row, and the number of prompts from there on. */
function forkPoint({ view: { entries }, firstRow }: SessionState, row: number): ForkPoint | undefined {
  const before = entries.slice(0, row - firstRow + 1);
  const index = before.findLastIndex((entry) => entry.type === 'user' && entry.isWithinTurn !== true);
  const entry = entries.at(index);
  if (entry?.type !== 'user') return undefined;
  const withoutLast = entries.slice(index).filter(({ type }) => type === 'user').length;
  return { withoutLast, prompt: entry.content };
}

/** @param waiting how many other sessions have a question for their user */
function titlePrefix({ questions, workingSince }: SessionState, waiting: number): string {
  const count = waiting + Math.min(questions.length, 1);
  if (count > 0) return `(${count}) `;
  return workingSince === undefined ? '' : '… ';
}
