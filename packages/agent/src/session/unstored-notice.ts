import type { Notice } from '@turnwire/protocol';

const causes: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room',
  EDQUOT: 'the disk quota is used up: make room',
  EACCES: 'the agent may not write where it keeps sessions: change that folder’s permissions',
  EPERM: 'the agent may not write where it keeps sessions: change that folder’s permissions',
  EROFS: 'where the agent keeps sessions nothing can be written: keep them somewhere else',
  ENOTDIR: 'the place where the agent keeps sessions is no folder: keep them somewhere else',
};

/** What a person is told whose conversation is not stored any more. The agent's log has the error itself. */
export function unstoredNotice(error: unknown): Notice {
  const code = String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
  const cause = causes[code] ?? `storing it failed${code && ` (${code})`}: the agent’s log says why. Mend that`;
  return {
    severity: 'warning',
    title: 'This conversation is not being stored',
    description: `It goes on, but what is said from here on cannot be loaded later, since ${cause}, then begin a new session.`,
  };
}
