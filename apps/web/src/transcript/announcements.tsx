import { type ReactNode, useEffect, useState } from 'react';
import type { SessionState } from '../state/session-state.ts';
import type { SessionStore } from '../state/session-store.ts';

/**
 * Screen reader announcements of a session: the start of a turn, its questions, and its end with the last message. The stream itself is not
 * announced, because it would never stop.
 */
export function Announcements({ session }: { readonly session: SessionStore }): ReactNode {
  const [text, setText] = useState('');
  useEffect(() => {
    let before = session.state.shown();
    return session.state.subscribe(() => {
      const now = session.state.shown();
      const said = announcement(before, now);
      before = now;
      if (said !== undefined) setText(said);
    });
  }, [session]);
  return (
    <div className="unseen" aria-live="polite">
      {text}
    </div>
  );
}

/** The announcement of a change, if any. */
function announcement(before: SessionState, now: SessionState): string | undefined {
  if (now.questions.length > before.questions.length) return 'The agent asks you something.';
  if (now.phase !== before.phase && now.phase === 'detached') return 'The connection broke. Reconnecting…';
  if (now.workingSince !== undefined && before.workingSince === undefined) return 'The agent is working.';
  if (now.workingSince === undefined && before.workingSince !== undefined)
    return `The turn has ended. ${lastWords(now)}`;
  return undefined;
}

const longest = 600;

function lastWords({ view: { entries } }: SessionState): string {
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries.at(index);
    if (entry?.type === 'user') return '';
    if (entry?.type !== 'agent') continue;
    return entry.content
      .map((block) => (block.type === 'text' ? block.text : ''))
      .join(' ')
      .slice(-longest);
  }
  return '';
}
