import { elapsed } from '@turnwire/client/view';
import type { ReactNode } from 'react';
import { useNow } from '../parts/use-now.ts';
import type { SessionStore } from '../state/session-store.ts';
import { useStorePart } from '../state/use-store.ts';

/** The last line of the transcript while a turn runs: its duration, or that it waits for the user. */
export function Working({ session }: { readonly session: SessionStore }): ReactNode {
  const since = useStorePart(session.state, ({ workingSince }) => workingSince);
  const isAsking = useStorePart(session.state, ({ questions }) => questions.length > 0);
  const now = useNow(since === undefined ? undefined : 1_000);
  if (since === undefined) return null;
  const time = elapsed(now - since);
  return (
    <p className="working-line">
      <span className={isAsking ? 'dot asking' : 'spinner'} />
      {isAsking ? 'Waits for you' : 'Working'}
      {time !== '' && ` · ${time}`}
    </p>
  );
}
