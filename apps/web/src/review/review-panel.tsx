import { type ReactNode, useEffect, useRef } from 'react';
import type { ReviewedFile, ReviewedTurn } from '@turnwire/protocol';
import { Failure } from '../parts/failure.tsx';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { useRows } from '../transcript/use-rows.ts';
import { useStore } from '../state/use-store.ts';
import { CommitForm } from './commit-form.tsx';
import { Confirmed } from './confirmed.tsx';
import { FileReview } from './file-review.tsx';
import type { ReviewStore } from './review-store.ts';
import { UnsentComments } from './unsent-comments.tsx';

/** The changes in the folder of a session, to accept, to reject and to comment. */
export function ReviewPanel({
  store,
  onClose,
}: {
  readonly store: ReviewStore;
  readonly onClose: () => void;
}): ReactNode {
  const { overview, failure, isBusy } = useStore(store.state);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useClosingKey(onClose);
  const files = overview?.files ?? [];
  return (
    <aside className="review" aria-label="Review" aria-busy={isBusy}>
      <header className="review-top">
        <h2 ref={heading} tabIndex={-1}>
          Review
        </h2>
        <span className="faint">{overview ? sizeOf(files) : 'Loading…'}</span>
        {files.length > 0 && (
          <button type="button" className="bare" onClick={() => void save(store)}>
            Patch
          </button>
        )}
        <button type="button" className="bare" disabled={isBusy} onClick={() => void store.load()}>
          Reload
        </button>
        <button type="button" className="bare" aria-label="Close the review" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      {files.length > 1 && <WholeReview store={store} files={files} isBusy={isBusy} />}
      <Failure text={failure} />
      {overview && files.length === 0 && (
        <p className="hint">Nothing to review: no agent has changed a file here since the last review.</p>
      )}
      <Files store={store} files={files} />
      <footer className="review-bottom">
        {overview && <UnsentComments {...{ store, overview, isBusy }} />}
        <CommitForm store={store} commit={overview?.commit} isBusy={isBusy} />
        {overview && overview.turns.length > 0 && <Turns store={store} turns={overview.turns} isBusy={isBusy} />}
      </footer>
    </aside>
  );
}

/** Accepts or rejects everything that is listed. */
function WholeReview({
  store,
  files,
  isBusy,
}: {
  readonly store: ReviewStore;
  readonly files: readonly ReviewedFile[];
  readonly isBusy: boolean;
}): ReactNode {
  const all = files.map(({ path, version }) => ({ path, version }));
  return (
    <div className="review-whole">
      <Confirmed
        className="plain-button"
        disabled={isBusy}
        label="Accept all"
        question={`Accept all ${files.length} files`}
        onConfirm={() => void store.decide('accept', all)}
      />
      <Confirmed
        className="refuse"
        disabled={isBusy}
        label="Reject all"
        question={`Take back all ${files.length} files`}
        onConfirm={() => void store.decide('reject', all)}
      />
    </div>
  );
}

/** Only the files near the screen are drawn. */
function Files({ store, files }: { readonly store: ReviewStore; readonly files: readonly ReviewedFile[] }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const rows = useRows({ first: 0, count: files.length, follows: false }, box, list);
  return (
    <div className="review-files" ref={box} onScroll={rows.onScroll} tabIndex={-1}>
      <ul ref={list} style={{ paddingTop: rows.before, paddingBottom: rows.after }}>
        {files.slice(rows.from, rows.to).map((file, index) => (
          <li key={file.path} data-row={rows.from + index}>
            <FileReview store={store} file={file} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Turns({
  store,
  turns,
  isBusy,
}: {
  readonly store: ReviewStore;
  readonly turns: readonly ReviewedTurn[];
  readonly isBusy: boolean;
}): ReactNode {
  return (
    <details className="review-turns">
      <summary>{turns.length === 1 ? 'One turn' : `${turns.length} turns`} that changed files</summary>
      <ul>
        {turns.toReversed().map(({ number, prompt, isUndone }) => (
          <li key={number}>
            <span className="turn-prompt">
              <VisibleText text={prompt.split('\n')[0] ?? ''} isProse />
            </span>
            {isUndone ? (
              <span className="faint">undone</span>
            ) : (
              <Confirmed
                className="bare"
                disabled={isBusy}
                label="Undo"
                question="Undo this turn"
                onConfirm={() => void store.undo(number)}
              />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function sizeOf(files: readonly ReviewedFile[]): string {
  const sum = (count: (file: ReviewedFile) => number): number => files.reduce((all, file) => all + count(file), 0);
  const names = files.length === 1 ? '1 file' : `${files.length} files`;
  return `${names} +${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
}

/** Saves the changes as a patch. */
async function save(store: ReviewStore): Promise<void> {
  const patch = await store.patch();
  if (!patch) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(patch);
  link.download = 'changes.patch';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Escape closes the panel, unless an element in it uses the key. */
function useClosingKey(onClose: () => void): void {
  useEffect(() => {
    const onKey = (key: KeyboardEvent): void => {
      if (key.key !== 'Escape' || key.defaultPrevented || document.querySelector('dialog[open]')) return;
      if (key.target instanceof HTMLElement && key.target.closest('textarea')) return;
      onClose();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onClose]);
}
