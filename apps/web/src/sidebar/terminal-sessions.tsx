import { type ReactNode, useEffect, useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { fetchTerminalSessions, type TerminalSession } from '../server/server-facts.ts';

/** How often the sessions are fetched while they are shown, in milliseconds. */
const interval = 30_000;

/** This user's chats, `exec` sessions and named sessions in terminals, each with the command that continues it. */
export function TerminalSessions({ query }: { readonly query: string }): ReactNode {
  const [sessions, setSessions] = useState<readonly TerminalSession[]>([]);
  useEffect(() => {
    const fetch = (): void => {
      if (!document.hidden) void fetchTerminalSessions().then(setSessions);
    };
    fetch();
    const timer = setInterval(fetch, interval);
    return () => clearInterval(timer);
  }, []);
  const found = sessions.filter(({ title, cwd }) => `${title}\n${cwd}`.toLowerCase().includes(query));
  if (found.length === 0) return null;
  return (
    <details className="elsewhere">
      <summary>In a terminal ({found.length})</summary>
      <ul>
        {found.map((session) => (
          <li key={session.command}>
            <span className="listed-title">
              <VisibleText text={session.title} isProse />
            </span>
            <span className="listed-facts">
              {session.agent} · <code>{session.command}</code>{' '}
              <CopyButton text={session.command} label="Copy the command" />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
