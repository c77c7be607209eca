import type { ReactNode } from 'react';
import type { AgentLink, LinkState } from '../state/agent-link.ts';
import type { SessionState } from '../state/session-state.ts';
import { useStore } from '../state/use-store.ts';

/** What state the session is in, in a word. A connection that is being made again can be hurried. */
export function ConnectionState({
  link,
  session,
}: {
  readonly link: AgentLink;
  readonly session: SessionState;
}): ReactNode {
  const state = useStore(link.state);
  const [kind, text] = stateWords(state, session);
  if (state.name === 'waiting')
    return (
      <button type="button" className={`state ${kind}`} title={state.message} onClick={() => link.hurry()}>
        {text}
      </button>
    );
  return (
    <span className={`state ${kind}`} role="status">
      {text}
    </span>
  );
}

function stateWords(link: LinkState, session: SessionState): readonly [kind: string, text: string] {
  if (link.name === 'connecting') return ['off', 'Connecting…'];
  if (link.name === 'waiting')
    return link.isRefused ? ['failed', 'No agent. Try again'] : ['off', 'Offline. Connect now'];
  if (link.name === 'logged-out') return ['off', 'Logged out'];
  if (session.phase === 'failed') return ['failed', 'Failed'];
  if (session.phase !== 'ready') return ['off', 'Opening…'];
  if (session.questions.length > 0) return ['asking', 'Waits for you'];
  if (session.isCancelling && session.workingSince !== undefined) return ['working', 'Cancelling…'];
  return session.workingSince === undefined ? ['ready', 'Ready'] : ['working', 'Working'];
}
