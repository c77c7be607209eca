import type { WantedFork } from '@turnwire/client/extensions';
import { errorText } from '@turnwire/client/error-text';
import type { ContentBlock } from '@turnwire/protocol';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Failure } from './parts/failure.tsx';
import type { PageStore } from './state/page-store.ts';
import type { SessionStore } from './state/session-store.ts';

/** A prompt before which the session can be forked or restored. */
export interface ForkPoint {
  /** The number of prompts to leave out: this one and all later ones. */
  readonly withoutLast: number;
  readonly prompt: readonly ContentBlock[];
}

/** Asks how to go back to before a prompt. Closed while the point is undefined. */
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
  const [isForking, setForking] = useState(false);
  useEffect(() => {
    if (point) dialog.current?.showModal();
    else dialog.current?.close();
  }, [point]);
  const fork = (wanted: WantedFork): void => {
    const { withoutLast, prompt } = point ?? {};
    setForking(true);
    page
      .fork(session, { withoutLast, ...wanted }, prompt)
      .catch((error: unknown) => setFailure(errorText(error)))
      .finally(() => setForking(false));
  };
  const close = (): void => {
    setFailure('');
    onClose();
  };
  return (
    <dialog ref={dialog} aria-label="Go back to before this prompt" closedby="any" onClose={close}>
      <div className="stack">
        <p>
          A new session starts with the history before this prompt, and has the prompt in its editor. This session
          stays.
        </p>
        <button type="button" className="primary" disabled={isForking} onClick={() => fork({})}>
          {isForking ? 'Going back…' : 'Go back'}
        </button>
        {session.forks?.restoreFiles === true && (
          <button
            type="button"
            className="plain-button"
            disabled={isForking}
            onClick={() => fork({ restoreFiles: true })}
          >
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
