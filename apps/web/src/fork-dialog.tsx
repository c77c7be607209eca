import type { WantedFork } from '@turnwire/client/conversation';
import { errorText } from '@turnwire/client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Failure } from './parts/failure.tsx';
import type { PageStore } from './state/page-store.ts';
import type { SessionStore } from './state/session-store.ts';

/** A prompt to go back to. */
export interface ForkPoint {
  /** How many of the last prompts are left out: this one and those after it. */
  readonly withoutLast: number;
  readonly text: string;
}

/** Asks how to go back to before a prompt. Undefined: nothing is asked. */
export function ForkDialog({
  page,
  session,
  point,
  onClose,
}: {
  readonly page: PageStore;
  readonly session: SessionStore;
  readonly point: ForkPoint | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    if (point) dialog.current?.showModal();
    else dialog.current?.close();
  }, [point]);
  const fork = (wanted: WantedFork): void => {
    const { withoutLast, text } = point ?? {};
    page.fork(session, { withoutLast, ...wanted }, text).catch((error: unknown) => setFailure(errorText(error)));
  };
  const close = (): void => {
    setFailure('');
    onClose();
  };
  return (
    <dialog ref={dialog} aria-label="Go back to before this prompt" closedby="any" onClose={close}>
      <div className="stack">
        <p>A new session begins with what came before this prompt, which is put into its editor. This session stays.</p>
        <button type="button" className="primary" onClick={() => fork({})}>
          Go back
        </button>
        {session.forks?.restoreFiles === true && (
          <button type="button" className="plain-button" onClick={() => fork({ restoreFiles: true })}>
            Go back and restore the files
          </button>
        )}
        <Failure text={failure} />
        <button type="button" className="bare" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
