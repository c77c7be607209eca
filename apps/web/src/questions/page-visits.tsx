import type { ReactNode } from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { useStorePart } from '../state/use-store.ts';

/** The pages that the agent waits for until it reports them complete. */
export function PageVisits({ session }: { readonly session: SessionStore }): ReactNode {
  const visits = useStorePart(session.state, (state) => state.visits);
  return visits.map(({ id, url }) => (
    <p key={id} className="visit" role="status">
      The agent waits until you are done at <strong>{new URL(url).host}</strong>.
      <button type="button" className="bare" onClick={() => session.remote.questions.endVisit(id)}>
        Dismiss
      </button>
    </p>
  ));
}
