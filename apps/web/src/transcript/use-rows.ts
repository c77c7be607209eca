import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { RowHeights, type RowRange } from './row-heights.ts';

/** The height of a row that was never drawn, in pixels. */
const guess = 44;
/** How far beyond the edges of the screen rows are drawn, in pixels. */
const margin = 400;
/** How long after the last jump the rows beyond the edges of the screen are drawn, in milliseconds. */
const restDelay = 60;
/** How near the end counts as at the end, in pixels. */
const nearEnd = 48;

/** Which rows to draw, and how much room the others take. */
export interface DrawnRows extends RowRange {
  /** The room of the rows before and after, in pixels. */
  readonly before: number;
  readonly after: number;
  /** The end stays on the screen, whatever is added. */
  readonly isFollowing: boolean;
  readonly follow: () => void;
  /** To be called when the box was scrolled. */
  readonly onScroll: () => void;
}

/**
 * Draws only those rows of a long list that are near the screen, and follows its end until the user scrolls away. What is seen stays where it
 * is when rows above it turn out to be higher or lower than guessed, or are added.
 * @param box is scrolled
 * @param list holds the rows in it, each with its number in `data-row`
 */
export function useRows(
  { first, count }: { readonly first: number; readonly count: number },
  box: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
): DrawnRows {
  const [heights] = useState(() => new RowHeights(guess));
  heights.cover(first, count);
  const [isFollowing, setFollowing] = useState(true);
  const [jump] = useState(() => new Jump());
  const [range, setRange] = useState<RowRange>({ from: first, to: first });
  const drawn = useRef(range);
  /** Where the box was scrolled to, the row at its upper edge, and how far above the edge that begins. */
  const view = useRef({ top: 0, row: first, above: 0 });

  const look = useCallback((): void => {
    const { scrollTop: top = 0, clientHeight = 0 } = box.current ?? {};
    const row = heights.rowAt(top);
    view.current = { top, row, above: top - heights.offsetOf(row) };
    const seen = heights.between(top, top + clientHeight);
    const { from, to } = drawn.current;
    if (seen.from >= to || seen.to <= from) jump.begin(look);
    const next = jump.isRecent ? seen : heights.between(top - margin, top + clientHeight + margin);
    if (next.from === from && next.to === to) return;
    drawn.current = next;
    setRange(next);
  }, [box, heights, jump]);
  useEffect(() => () => jump.end(), [jump]);

  const onScroll = useCallback((): void => {
    if (!box.current) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    if (scrollHeight - scrollTop - clientHeight < nearEnd) setFollowing(true);
    else if (scrollTop < view.current.top) setFollowing(false);
    look();
  }, [box, look]);

  const settle = useCallback((): void => {
    if (!box.current || !list.current) return;
    // The event of a scroll may be still to come.
    if (!isFollowing && box.current.scrollTop !== view.current.top) look();
    for (const row of list.current.children)
      if (row instanceof HTMLElement) heights.set(Number(row.dataset['row']), row.offsetHeight);
    const { row, above } = view.current;
    box.current.scrollTop = isFollowing ? box.current.scrollHeight : heights.offsetOf(row) + above;
    look();
  }, [box, heights, isFollowing, list, look]);

  useLayoutEffect(settle);
  useEffect(() => {
    const observer = new ResizeObserver(settle);
    if (box.current) observer.observe(box.current);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, [box, list, settle]);

  const from = Math.min(Math.max(range.from, first), first + count);
  const to = Math.min(Math.max(range.to, from), first + count);
  return {
    from,
    to,
    before: heights.offsetOf(from),
    after: heights.total - heights.offsetOf(to),
    isFollowing,
    follow: () => setFollowing(true),
    onScroll,
  };
}

/** A jump to rows that were not drawn: those beyond the edges of the screen follow a little later, which is half of the work at a time. */
class Jump {
  #timer: ReturnType<typeof setTimeout> | undefined;

  get isRecent(): boolean {
    return this.#timer !== undefined;
  }

  /** @param then called when it is not recent any more */
  begin(then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      then();
    }, restDelay);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
