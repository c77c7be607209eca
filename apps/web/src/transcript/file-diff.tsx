import { type ReactNode, useMemo } from 'react';
import {
  type DiffLine,
  type DiffRow,
  diffRows,
  diffSize,
  foldedRows,
  type FoldedRows,
  patchText,
  type TextSpan,
} from '@turnwire/client/changes';
import type { Diff } from '@turnwire/protocol';
import { CopyButton } from '../parts/copy-button.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { prefer, preferences } from '../state/preferences.ts';
import { useStorePart } from '../state/use-store.ts';
import { useShortPath } from './session-folder.ts';
import { useKept } from './use-fold.ts';

/** The maximum number of rows drawn at first: ten thousand take a browser about a second. */
const fewestRows = 300;
/** The minimum number of unchanged lines that are folded. */
const fewestFolded = 4;

/** The diff of a file in one or two columns. Changed words are marked, and long unchanged parts are folded. */
export function FileDiff({
  diff,
  index,
}: {
  readonly diff: Diff;
  /** Its index in the entry. */
  readonly index: number;
}): ReactNode {
  const { path, oldText } = diff;
  const short = useShortPath();
  const isSplit = useStorePart(preferences, (preferred) => preferred.isSplit);
  const [isWhole, setWhole] = useKept(`whole diff ${index}`, false);
  const [most, setMost] = useKept(`rows of diff ${index}`, fewestRows);
  const all = useMemo(() => diffRows(diff), [diff]);
  const { added, removed } = useMemo(() => diffSize(diff), [diff]);
  const rows = useMemo(() => (isWhole ? all : foldedRows(all, fewestFolded)), [all, isWhole]);
  return (
    <figure className="diff">
      <figcaption>
        <span className="path" title={path}>
          <VisibleText text={short(path)} />
        </span>
        {(oldText === null || oldText === undefined) && <span className="badge">new</span>}
        <span className="added">+{added}</span>
        <span className="removed">−{removed}</span>
        <button type="button" className="bare" aria-pressed={isSplit} onClick={() => prefer({ isSplit: !isSplit })}>
          Side by side
        </button>
        <CopyButton text={() => patchText(diff)} label="Copy the change" />
      </figcaption>
      {/* The focus lets the keyboard scroll a wide table. */}
      <div className="diff-scroll" tabIndex={0} role="region" aria-label={`Changes of ${path}`}>
        <table className={isSplit ? 'split' : 'unified'}>
          <tbody>
            {rows.slice(0, most).map((row, index) => (
              <DiffTableRow key={index} row={row} isSplit={isSplit} onUnfold={() => setWhole(true)} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most && (
        <button type="button" className="bare" onClick={() => setMost(most * 10)}>
          Show {Math.min(rows.length, most * 10) - most} of {rows.length - most} more lines
        </button>
      )}
    </figure>
  );
}

interface RowProps {
  readonly row: DiffRow | FoldedRows;
  readonly isSplit: boolean;
  readonly onUnfold: () => void;
  /** Makes the numbers of the lines on the right buttons. */
  readonly onLine?: ((line: number, isExtended: boolean) => void) | undefined;
}

/** A row of a diff, as one or more rows of a table. */
export function DiffTableRow({ row, isSplit, onUnfold, onLine }: RowProps): ReactNode {
  if (row.type === 'folded')
    return (
      <tr className="folded">
        <td colSpan={isSplit ? 4 : 3}>
          <button type="button" className="bare" onClick={onUnfold}>
            Show {row.count} unchanged lines
          </button>
        </td>
      </tr>
    );
  const { left, right } = row;
  if (isSplit)
    return (
      <tr>
        <Side line={left} kind={row.type === 'same' ? '' : 'removed'} />
        <Side line={right} kind={row.type === 'same' ? '' : 'added'} onLine={onLine} />
      </tr>
    );
  if (row.type === 'same')
    return (
      <tr>
        <td className="number">{left?.number}</td>
        <LineNumber line={right} onLine={onLine} />
        <td className="code"> {right && <Spans spans={right.spans} />}</td>
      </tr>
    );
  return (
    <>
      {left && (
        <tr className="removed">
          <td className="number">{left.number}</td>
          <td className="number" />
          <td className="code">
            -<Spans spans={left.spans} />
          </td>
        </tr>
      )}
      {right && (
        <tr className="added">
          <td className="number" />
          <LineNumber line={right} onLine={onLine} />
          <td className="code">
            +<Spans spans={right.spans} />
          </td>
        </tr>
      )}
    </>
  );
}

function LineNumber({
  line,
  kind = '',
  onLine,
}: Pick<RowProps, 'onLine'> & { readonly line: DiffLine | undefined; readonly kind?: string }): ReactNode {
  return (
    <td className={`number ${kind}`}>
      {line && onLine ? (
        <button
          type="button"
          className="line-number"
          aria-label={`Comment on line ${line.number}`}
          onClick={(click) => onLine(line.number, click.shiftKey)}
        >
          {line.number}
        </button>
      ) : (
        line?.number
      )}
    </td>
  );
}

function Side({
  line,
  kind,
  onLine,
}: Pick<RowProps, 'onLine'> & { readonly line: DiffLine | undefined; readonly kind: string }): ReactNode {
  return (
    <>
      <LineNumber line={line} kind={line ? kind : ''} onLine={onLine} />
      <td className={`code ${line ? kind : 'absent'}`}>{line && <Spans spans={line.spans} />}</td>
    </>
  );
}

function Spans({ spans }: { readonly spans: readonly TextSpan[] }): ReactNode {
  return spans.map(({ text, isChanged }, index) =>
    isChanged ? (
      <mark key={index}>
        <VisibleText text={text} />
      </mark>
    ) : (
      <VisibleText key={index} text={text} />
    ),
  );
}
