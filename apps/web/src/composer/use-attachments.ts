import type { ContentBlock } from '@turnwire/protocol';
import { useState } from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { type Attachment, attachedAgain, attachmentOf } from './attachments.ts';

/** The attachments of the next prompt, and the reason why the last file could not be attached. */
export interface Attachments {
  readonly list: readonly Attachment[];
  readonly failure: string;
  readonly add: (files: Iterable<File>) => Promise<void>;
  /** Attaches the attachments of a prompt that the user edits again. */
  readonly restore: (content: readonly ContentBlock[]) => void;
  readonly remove: (key: string) => void;
  readonly clear: () => void;
}

/** The attachments of a session's next prompt. They stay with the session while another one is shown. */
export function useAttachments(session: SessionStore): Attachments {
  const [list, draw] = useState(() => attachedAgain(session.attached));
  const [failure, setFailure] = useState('');
  const setList = (change: (before: readonly Attachment[]) => readonly Attachment[]): void =>
    draw((before) => {
      const next = change(before);
      session.attached = next.map(({ block }) => block);
      return next;
    });
  return {
    list,
    failure,
    add: async (files) => {
      setFailure('');
      for (const file of files) {
        try {
          const attachment = await attachmentOf(file, session.promptCapabilities);
          setList((before) => [...before, attachment]);
        } catch (error) {
          setFailure((error as Error).message);
        }
      }
    },
    restore: (content) => setList((before) => [...before, ...attachedAgain(content)]),
    remove: (key) => setList((before) => before.filter((each) => each.key !== key)),
    clear: () => {
      setList(() => []);
      setFailure('');
    },
  };
}
