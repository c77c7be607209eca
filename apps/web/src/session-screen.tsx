import { type ReactNode, useEffect, useState } from 'react';
import { AgentLogin } from './agent-login.tsx';
import { Composer } from './composer/composer.tsx';
import { ScreenHeader } from './parts/screen-header.tsx';
import { PageVisits } from './questions/page-visits.tsx';
import { QuestionCard } from './questions/question-card.tsx';
import type { PageStore } from './state/page-store.ts';
import type { SessionState } from './state/session-state.ts';
import type { SessionStore } from './state/session-store.ts';
import { sessionTitle } from './state/session-title.ts';
import { useStore } from './state/use-store.ts';
import { SessionMenu } from './session-menu.tsx';
import { Usage } from './parts/usage.tsx';
import { ConnectionState } from './parts/connection-state.tsx';
import { Announcements } from './transcript/announcements.tsx';
import { Folds } from './transcript/use-fold.ts';
import { Plan } from './transcript/plan.tsx';
import { SessionFolder } from './transcript/session-folder.ts';
import { TranscriptList } from './transcript/transcript-list.tsx';

/** A session: its transcript, what it asks, and the editor for the next prompt. */
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
  const [question] = questions;
  const [folds] = useState(() => new Map<number, boolean>());
  useEffect(() => {
    document.title = `${titlePrefix(state)}${sessionTitle(view)} · Turnwire`;
  });
  return (
    <div className="session">
      <ScreenHeader title={sessionTitle(view)} onMenu={onMenu}>
        {role === 'observe' && <span className="badge">watching</span>}
        <Usage view={view} />
        <SessionMenu page={page} session={session} />
        {link && <ConnectionState link={link} session={state} />}
      </ScreenHeader>
      <SessionFolder value={session.cwd}>
        <Folds value={folds}>
          <TranscriptList session={session} onRetry={() => link?.retry(session)} />
          <footer className="bottom">
            <Plan entries={view.plan} />
            <PageVisits session={session} />
            {link && <AgentLogin link={link} />}
            {question && <QuestionCard key={question.id} question={question} more={questions.length - 1} />}
            {role === 'control' && <Composer session={session} />}
          </footer>
        </Folds>
      </SessionFolder>
      <Announcements session={session} />
    </div>
  );
}

function titlePrefix({ questions, workingSince }: SessionState): string {
  if (questions.length > 0) return '(?) ';
  return workingSince === undefined ? '' : '… ';
}
