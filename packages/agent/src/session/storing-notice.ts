import type { Notice } from '@turnwire/protocol';
import type { StoringChange } from './entry-queue.ts';

const causes: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the disk quota is used up: free some space',
  EACCES: 'the agent has no permission to write to its session folder: change the permissions of that folder',
  EPERM: 'the agent has no permission to write to its session folder: change the permissions of that folder',
  EROFS: 'the session folder of the agent is on a read-only file system: move it elsewhere',
  ENOTDIR: 'the session folder of the agent is not a folder: move it elsewhere',
};

/** The notice that a user gets when storing fails or works again. The agent's log has the error itself. */
export function storingNotice(change: StoringChange): Notice {
  switch (change.to) {
    case 'failing':
      return {
        severity: 'warning',
        title: 'This conversation is not being stored',
        description: `It continues, but new messages are only in memory, because ${causeOf(change.error)}. As soon as storing works again, all of it is stored.`,
      };
    case 'given up':
      return {
        severity: 'warning',
        title: 'This conversation can no longer be stored',
        description: `It continues, but too many messages are waiting to be stored, so later ones cannot be loaded again, because ${causeOf(change.error)}, then start a new session.`,
      };
    case 'storing again':
      return {
        severity: 'info',
        title: 'This conversation is being stored again',
        description: 'The messages in between are stored as well.',
      };
  }
}

function causeOf(error: unknown): string {
  const { code = '' } = (error ?? {}) as { readonly code?: string };
  return causes[code] ?? `storing it failed${code && ` (${code})`}: find the reason in the agent’s log and fix it`;
}
