import type { LinkState } from '@turnwire/client/gateway';
import type { ReactNode } from 'react';
import type { AgentLink } from '../state/agent-link.ts';
import type { SessionState } from '../state/session-state.ts';
import { useStore } from '../state/use-store.ts';

/** The state of the session in a few words. While the page waits to reconnect, a click reconnects at once. */
export function ConnectionState({
  link,
  session,
  isAsking,
}: {
  readonly link: AgentLink;
  readonly session: SessionState;
  /** Whether the server reports a pending question. Observers do not receive the question itself. */
  readonly isAsking: boolean;
}): ReactNode {
  const state = useStore(link.state);
  const [kind, text] = stateWords(state, session, isAsking);
  if (state.name === 'waiting')
    return (
      <button type="button" className={`state ${kind}`} title={state.message} onClick={() => link.reconnectNow()}>
        {text}
      </button>
    );
  return (
    <span className={`state ${kind}`} role="status">
      {text}
    </span>
  );
}

function stateWords(link: LinkState, session: SessionState, isAsking: boolean): readonly [kind: string, text: string] {
  if (link.name === 'connecting') return ['off', 'Connecting…'];
  if (link.name === 'waiting')
    return link.isRefused ? ['failed', 'No agent. Try again'] : ['off', 'Offline. Connect now'];
  if (link.name === 'logged-out') return ['off', 'Logged out'];
  if (session.phase === 'failed') return ['failed', 'Failed'];
  if (session.phase !== 'ready') return ['off', 'Opening…'];
  if (session.questions.length > 0) return ['asking', 'Waits for you'];
  if (session.isCancelling && session.workingSince !== undefined) return ['working', 'Cancelling…'];
  if (session.workingSince === undefined) return ['ready', 'Ready'];
  return isAsking && session.role === 'observe' ? ['asking', 'Waits for the owner'] : ['working', 'Working'];
}
