import { createContext, Fragment, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import {
  type DiffLine,
  type DiffRow,
  diffRows,
  diffSize,
  foldedRows,
  type FoldedRows,
  patchText,
} from '@turnwire/client/changes';
import type { Diff } from '@turnwire/protocol';
import type { ColouredText } from '../markdown/highlight.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { useMedia } from '../parts/use-media.ts';
import { VisibleText } from '../parts/visible-text.tsx';
import { prefer, preferences } from '../state/preferences.ts';
import { useStorePart } from '../state/use-store.ts';
import { useShortPath } from './session-folder.ts';
import { useKept } from './use-fold.ts';

/** The maximum number of rows drawn at first: ten thousand take a browser about a second. */
const fewestRows = 300;
/** The minimum number of unchanged lines that are folded. */
const fewestFolded = 4;

/** The colours of the lines of both sides. */
interface DiffColours {
  readonly old: readonly (readonly ColouredText[])[];
  readonly new: readonly (readonly ColouredText[])[];
}

const Colours = createContext<DiffColours | undefined>(undefined);

/** The longest file with colours, in UTF-16 units. */
const longestFile = 100_000;

/** Loads the colours after the diff was drawn. Undefined for long files, and for languages that are not known. */
function useColours(diff: Diff): DiffColours | undefined {
  const [found, setFound] = useState<{ readonly diff: Diff; readonly colours: DiffColours }>();
  useEffect(() => {
    const { path, oldText, newText } = diff;
    let isCurrent = true;
    if ((oldText?.length ?? 0) + newText.length > longestFile) return undefined;
    void import('../markdown/highlight.tsx').then(({ colouredLines }) => {
      const [before, after] = [oldText ?? '', newText].map((text) => colouredLines(text, extensionOf(path)));
      if (isCurrent && before && after) setFound({ diff, colours: { old: before, new: after } });
    });
    return () => void (isCurrent = false);
  }, [diff]);
  return found?.diff === diff ? found.colours : undefined;
}

function extensionOf(path: string): string {
  return (/\.([^./\\]+)$/.exec(path)?.[1] ?? '').toLowerCase();
}

/** The number of lines that a change adds and removes. */
export function DiffSize({ diff }: { readonly diff: Diff }): ReactNode {
  const { added, removed } = useMemo(() => diffSize(diff), [diff]);
  return (
    <span className="diff-size">
      {(diff.oldText === null || diff.oldText === undefined) && <span className="badge">new</span>}
      <span className="added">+{added}</span>
      <span className="removed">−{removed}</span>
    </span>
  );
}

/** The diff of a file in one or two columns. Changed words are marked, and long unchanged parts are folded. */
export function FileDiff({
  diff,
  index,
  isTitled = false,
}: {
  readonly diff: Diff;
  /** Its index in the entry. */
  readonly index: number;
  /** Whether a line above names the file. */
  readonly isTitled?: boolean;
}): ReactNode {
  const { path } = diff;
  const short = useShortPath();
  const { isWide, isSplit } = useColumns();
  const [isWhole, setWhole] = useKept(`whole diff ${index}`, false);
  const [most, setMost] = useKept(`rows of diff ${index}`, fewestRows);
  const all = useMemo(() => diffRows(diff), [diff]);
  const rows = useMemo(() => (isWhole ? all : foldedRows(all, fewestFolded)), [all, isWhole]);
  const colours = useColours(diff);
  return (
    <figure className={isTitled ? 'diff titled' : 'diff'}>
      <figcaption>
        {!isTitled && (
          <>
            <span className="path" title={path}>
              <VisibleText text={short(path)} />
            </span>
            <DiffSize diff={diff} />
          </>
        )}
        {isWide && (
          <button type="button" className="bare" aria-pressed={isSplit} onClick={() => prefer({ isSplit: !isSplit })}>
            Side by side
          </button>
        )}
        <CopyButton text={() => patchText(diff)} label="Copy the change" />
      </figcaption>
      {/* The focus lets the keyboard scroll a wide table. */}
      <div className="diff-scroll" tabIndex={0} role="region" aria-label={`Changes of ${path}`}>
        <table className={isSplit ? 'split' : 'unified'}>
          <Colours value={colours}>
            <tbody>
              {rows.slice(0, most).map((row, index) => (
                <DiffTableRow key={index} row={row} isSplit={isSplit} onUnfold={() => setWhole(true)} />
              ))}
            </tbody>
          </Colours>
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

/** Two columns in a narrower window would have less than fifty characters each. */
const wideEnough = '(min-width: 900px)';

/** Whether the window is wide enough for both sides of a diff, and whether they are shown side by side. */
export function useColumns(): { readonly isWide: boolean; readonly isSplit: boolean } {
  const isWide = useMedia(wideEnough);
  const isPreferred = useStorePart(preferences, (preferred) => preferred.isSplit);
  return { isWide, isSplit: isWide && isPreferred };
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
        <Side line={left} side="old" kind={row.type === 'same' ? '' : 'removed'} />
        <Side line={right} side="new" kind={row.type === 'same' ? '' : 'added'} onLine={onLine} />
      </tr>
    );
  if (row.type === 'same')
    return (
      <tr>
        <td className="number">{left?.number}</td>
        <LineNumber line={right} onLine={onLine} />
        <td className="code">{right && <Spans line={right} side="new" />}</td>
      </tr>
    );
  return (
    <>
      {left && (
        <tr className="removed">
          <td className="number">{left.number}</td>
          <td className="number" />
          <td className="code">
            <Spans line={left} side="old" />
          </td>
        </tr>
      )}
      {right && (
        <tr className="added">
          <td className="number" />
          <LineNumber line={right} onLine={onLine} />
          <td className="code">
            <Spans line={right} side="new" />
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
  side,
  kind,
  onLine,
}: Pick<RowProps, 'onLine'> & {
  readonly line: DiffLine | undefined;
  readonly side: 'old' | 'new';
  readonly kind: string;
}): ReactNode {
  return (
    <>
      <LineNumber line={line} kind={line ? kind : ''} onLine={onLine} />
      <td className={`code ${line ? kind : 'absent'}`}>{line && <Spans line={line} side={side} />}</td>
    </>
  );
}

/** The text of a line: changed words are marked, and the parts of the language are coloured. */
function Spans({ line, side }: { readonly line: DiffLine; readonly side: 'old' | 'new' }): ReactNode {
  const colours = useContext(Colours)?.[side][line.number - 1];
  let at = 0;
  return line.spans.map(({ text, isChanged }, index) => {
    const start = at;
    at += text.length;
    const parts = colours === undefined ? <VisibleText text={text} /> : colouredPart(text, start, colours);
    return isChanged ? <mark key={index}>{parts}</mark> : <Fragment key={index}>{parts}</Fragment>;
  });
}

/** A part of a line, with the colours of the line. */
function colouredPart(text: string, start: number, colours: readonly ColouredText[]): ReactNode {
  let at = 0;
  // The text stays complete even if the colours are wrong.
  const covered = colours.reduce((sum, { length }) => sum + length, 0);
  const all = [...colours, { length: Math.max(0, start + text.length - covered), className: undefined }];
  return all.map(({ length, className }, index) => {
    const [from, to] = [Math.max(at, start), Math.min(at + length, start + text.length)];
    at += length;
    if (from >= to) return null;
    return (
      <span key={index} className={className}>
        <VisibleText text={text.slice(from - start, to - start)} />
      </span>
    );
  });
}
