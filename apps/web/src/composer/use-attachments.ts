import { useState } from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { type Attachment, attachmentOf } from './attachments.ts';

/** What is attached to the next prompt, and why something was not. */
export interface Attachments {
  readonly list: readonly Attachment[];
  readonly failure: string;
  readonly add: (files: Iterable<File>) => Promise<void>;
  readonly remove: (key: string) => void;
  readonly clear: () => void;
}

/** Attachments for the next prompt of a session. */
export function useAttachments(session: SessionStore): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([]);
  const [failure, setFailure] = useState('');
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
    remove: (key) => setList((before) => before.filter((each) => each.key !== key)),
    clear: () => {
      setList([]);
      setFailure('');
    },
  };
}
