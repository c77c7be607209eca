import type { Notice } from '@turnwire/protocol';
import type { StoringChange } from './entry-queue.ts';

const causes: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room',
  EDQUOT: 'the disk quota is used up: make room',
  EACCES: 'the agent may not write where it keeps sessions: change that folder’s permissions',
  EPERM: 'the agent may not write where it keeps sessions: change that folder’s permissions',
  EROFS: 'where the agent keeps sessions nothing can be written: keep them somewhere else',
  ENOTDIR: 'the place where the agent keeps sessions is no folder: keep them somewhere else',
};

/** What a user is told about the storing of their conversation. The agent's log has the error itself. */
export function storingNotice(change: StoringChange): Notice {
  switch (change.to) {
    case 'failing':
      return {
        severity: 'warning',
        title: 'This conversation is not being stored',
        description: `It continues, but what is said from here on is in memory only, since ${causeOf(change.error)}. As soon as storing works again, all of it is stored.`,
      };
    case 'given up':
      return {
        severity: 'warning',
        title: 'This conversation can no longer be stored',
        description: `It continues, but too much could not be stored, so the rest cannot be loaded later, since ${causeOf(change.error)}, then begin a new session.`,
      };
    case 'storing again':
      return {
        severity: 'info',
        title: 'This conversation is being stored again',
        description: 'What was said meanwhile is stored, too.',
      };
  }
}

function causeOf(error: unknown): string {
  const code = String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
  return causes[code] ?? `storing it failed${code && ` (${code})`}: the agent’s log says why. Repair that`;
}
