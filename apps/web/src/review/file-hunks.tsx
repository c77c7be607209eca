import { type DiffRow, hunkRows } from '@turnwire/client/changes';
import type { ReviewedHunk, ReviewedText, UnsentComment } from '@turnwire/protocol';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';
import { useStorePart } from '../state/use-store.ts';
import { DiffTableRow, useColumns } from '../transcript/file-diff.tsx';
import { type CommentDraft, CommentForm } from './comment-form.tsx';
import { Decisions } from './decisions.tsx';
import type { ReviewStore } from './review-store.ts';

/** The number of rows of a hunk that are drawn at first. */
const fewestRows = 300;
const noComments: readonly UnsentComment[] = [];

interface FileHunksProps {
  readonly store: ReviewStore;
  readonly text: ReviewedText;
  readonly isBusy: boolean;
}

/** The hunks of a file, with the unchanged lines between them folded. */
export function FileHunks({ store, text, isBusy }: FileHunksProps): ReactNode {
  const { file, hunks, isTooLong } = text;
  const { path } = file;
  const all = useStorePart(store.state, ({ overview }) => overview?.comments ?? noComments);
  const comments = useMemo(() => all.filter((comment) => comment.path === path), [all, path]);
  const [draft, setDraft] = useState<CommentDraft>();
  const { isSplit } = useColumns();
  const between = useMemo(() => linesBetween(text), [text]);
  if (hunks.length === 0)
    return (
      <p className="hint">
        {isTooLong ? 'These changes are too long to be shown here.' : 'A binary file, a link, or a changed permission.'}
      </p>
    );
  const onLine = (line: number, isExtended: boolean): void =>
    setDraft((before) =>
      before && isExtended
        ? { ...before, first: Math.min(before.first, line), last: Math.max(before.last, line) }
        : { at: line, first: line, last: line, text: before?.text ?? '' },
    );
  const add = async ({ first, last, text: words }: CommentDraft): Promise<void> => {
    if (await store.comment({ path, lines: [first, last], text: words.trim() })) setDraft(undefined);
  };
  const form = draft && (
    <CommentForm
      {...{ path, draft, isBusy }}
      onChange={setDraft}
      onAdd={() => void add(draft)}
      onClose={() => setDraft(undefined)}
    />
  );
  const shared = { isSplit, comments, form, formAt: draft?.at, onLine: file.change === 'deleted' ? undefined : onLine };
  return (
    <div className="diff-scroll" tabIndex={0} role="region" aria-label={`Changes of ${path}`}>
      {hunks.map((hunk, index) => (
        <Fragment key={hunk.id + String(index)}>
          <Between lines={between[index]} isSplit={isSplit} />
          <section className="hunk" aria-label={`Lines from ${hunk.after.line}`}>
            {hunks.length > 1 && (
              <div className="hunk-top">
                <span className="faint">Line {hunk.after.line}</span>
                <Decisions
                  what={`the change at line ${hunk.after.line}`}
                  isBusy={isBusy}
                  onDecide={(decision) => void store.decide(decision, [{ path, hunks: [hunk.id] }])}
                />
              </div>
            )}
            <HunkTable hunk={hunk} {...shared} />
          </section>
        </Fragment>
      ))}
      <Between lines={between[hunks.length]} isSplit={isSplit} />
    </div>
  );
}

interface HunkTableProps {
  readonly hunk: ReviewedHunk;
  readonly isSplit: boolean;
  readonly comments: readonly UnsentComment[];
  /** The form for a comment, and the line below which it is. */
  readonly form: ReactNode;
  readonly formAt: number | undefined;
  readonly onLine: ((line: number, isExtended: boolean) => void) | undefined;
}

function HunkTable({ hunk, isSplit, comments, form, formAt, onLine }: HunkTableProps): ReactNode {
  const rows = useMemo(() => hunkRows(hunk), [hunk]);
  const [most, setMost] = useState(fewestRows);
  const noNewline = hunk.lines.some((line) => line.startsWith('\\'));
  return (
    <>
      <table className={isSplit ? 'split' : 'unified'}>
        <tbody>
          {rows.slice(0, most).map((row, index) => {
            const line = row.right?.number;
            const made = line === undefined ? noComments : comments.filter(({ lines }) => lines?.[1] === line);
            return (
              <Fragment key={index}>
                <DiffTableRow row={row} isSplit={isSplit} onUnfold={nothing} onLine={onLine} />
                {made.map((comment, at) => (
                  <BelowRow key={at} isSplit={isSplit}>
                    <p className="comment">
                      <VisibleText text={comment.text} isProse />
                    </p>
                  </BelowRow>
                ))}
                {line !== undefined && line === formAt && <BelowRow isSplit={isSplit}>{form}</BelowRow>}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {noNewline && <p className="faint">One side has no newline at its end.</p>}
      {rows.length > most && (
        <button type="button" className="bare" onClick={() => setMost(most * 10)}>
          Show {Math.min(rows.length, most * 10) - most} of {rows.length - most} more lines
        </button>
      )}
    </>
  );
}

function BelowRow({ isSplit, children }: { readonly isSplit: boolean; readonly children: ReactNode }): ReactNode {
  return (
    <tr className="below-line">
      <td colSpan={isSplit ? 4 : 3}>{children}</td>
    </tr>
  );
}

/** Unchanged lines between hunks, folded at first. */
function Between({
  lines,
  isSplit,
}: {
  readonly lines: readonly DiffRow[] | undefined;
  readonly isSplit: boolean;
}): ReactNode {
  const [isShown, setShown] = useState(false);
  if (!lines || lines.length === 0) return null;
  const rows = isShown ? lines : [{ type: 'folded', count: lines.length } as const];
  return (
    <table className={isSplit ? 'split' : 'unified'}>
      <tbody>
        {rows.map((row, index) => (
          <DiffTableRow key={index} row={row} isSplit={isSplit} onUnfold={() => setShown(true)} />
        ))}
      </tbody>
    </table>
  );
}

/** The unchanged lines before each hunk, and after the last one. */
function linesBetween({ hunks, text }: ReviewedText): readonly (readonly DiffRow[])[] {
  if (text === undefined) return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let [left, right] = [1, 1];
  const upTo = (end: number): readonly DiffRow[] =>
    lines.slice(right - 1, end - 1).map((line, at) => {
      const spans = [{ text: line, isChanged: false }];
      return { type: 'same', left: { number: left + at, spans }, right: { number: right + at, spans } };
    });
  const between = hunks.map(({ before, after }) => {
    // A hunk without lines on this side begins behind the line that it names.
    const rows = upTo(after.count === 0 ? after.line + 1 : after.line);
    left = before.line + before.count + (before.count === 0 ? 1 : 0);
    right = after.line + after.count + (after.count === 0 ? 1 : 0);
    return rows;
  });
  return [...between, upTo(lines.length + 1)];
}

function nothing(): void {
  // Rows of a hunk are never folded.
}
