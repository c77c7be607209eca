import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { RowHeights, type RowRange } from './row-heights.ts';

/** The estimated height of a row that was never drawn, in pixels. */
const guess = 36;
/** How far beyond the edges of the screen rows are drawn, in pixels. */
const margin = 400;
/** The delay after the last jump until the rows beyond the edges of the screen are drawn, in milliseconds. */
const restDelay = 60;
/** The distance that counts as at the end, in pixels. */
const nearEnd = 48;

/** The rows to draw, and the space that the others take. */
export interface DrawnRows extends RowRange {
  /** The height of the rows before and after the drawn ones, in pixels. */
  readonly before: number;
  readonly after: number;
  /** Whether the list stays scrolled to its end when rows are added. */
  readonly isFollowing: boolean;
  readonly follow: () => void;
  /** Scrolls to a row, and stops following the end. */
  readonly show: (row: number) => void;
  /** Adapts to rows that the user has hidden or shown. The list stays where it is. */
  readonly refit: (range: RowRange, isHidden: (row: number) => boolean) => void;
  /** The scroll listener of the box. */
  readonly onScroll: () => void;
}

/** The rows of a list. */
export interface ListedRows {
  readonly first: number;
  readonly count: number;
  /** Whether a row takes no space. Default: no row. */
  readonly isHidden?: (row: number) => boolean;
  /** Default: true. False: the list begins at its start, and never scrolls by itself. */
  readonly follows?: boolean;
}

/**
 * Draws only the rows of a long list that are near the screen, and follows its end until the user scrolls away. Visible rows keep their
 * position when rows above them are added or differ from their estimated height.
 * @param box the scrolling element
 * @param list the element of the rows, each with its number in `data-row`
 */
export function useRows(
  { first, count, isHidden = noneHidden, follows = true }: ListedRows,
  box: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
): DrawnRows {
  const [heights] = useState(() => new RowHeights(guess));
  heights.cover(first, count, isHidden);
  const hides = useLatest(isHidden);
  const [isFollowing, setFollowing] = useState(follows);
  const jump = useJump();
  const [range, setRange] = useState<RowRange>({ from: first, to: first });
  const drawn = useRef(range);
  /** The scroll position, the row at the upper edge, and the part of that row above the edge in pixels. */
  const view = useRef({ top: 0, row: first, above: 0 });
  /** The row to scroll to, until it and its neighbours are drawn: their heights move it. */
  const target = useRef<number>(undefined);

  const update = useCallback((): void => {
    const { scrollTop: top = 0, clientHeight = 0 } = box.current ?? {};
    const row = heights.rowAt(top);
    view.current = { top, row, above: top - heights.offsetOf(row) };
    const seen = heights.between(top, top + clientHeight);
    const { from, to } = drawn.current;
    if (seen.from >= to || seen.to <= from) jump.begin(update);
    const next = jump.isRecent ? seen : heights.between(top - margin, top + clientHeight + margin);
    if (next.from === from && next.to === to) return;
    drawn.current = next;
    setRange(next);
  }, [box, heights, jump]);

  const onScroll = useCallback((): void => {
    if (!box.current) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    if (follows && scrollHeight - scrollTop - clientHeight < nearEnd) setFollowing(true);
    else if (scrollTop < view.current.top) setFollowing(false);
    update();
  }, [box, follows, update]);

  const settle = useCallback((): void => {
    if (!box.current || !list.current) return;
    const before = drawn.current;
    // The scroll event may still be pending.
    if (!isFollowing && target.current === undefined && box.current.scrollTop !== view.current.top) update();
    measure(list.current, heights);
    heights.hideAround(drawn.current, hides.current);
    const { row, above } = view.current;
    const top = target.current === undefined ? heights.offsetOf(row) + above : heights.offsetOf(target.current);
    box.current.scrollTop = isFollowing ? box.current.scrollHeight : top;
    update();
    if (drawn.current === before) target.current = undefined;
  }, [box, heights, hides, isFollowing, list, update]);

  useLayoutEffect(settle);
  useResizing([box, list], settle);

  const from = Math.min(Math.max(range.from, first), first + count);
  const to = Math.min(Math.max(range.to, from), first + count);
  return {
    from,
    to,
    before: heights.offsetOf(from),
    after: heights.total - heights.offsetOf(to),
    isFollowing,
    ...movesOf({ heights, target, setFollowing, setRange, update }),
    onScroll,
  };
}

/** The ways to scroll that do not begin with the user's wheel or finger. */
function movesOf({
  heights,
  target,
  setFollowing,
  setRange,
  update,
}: Moved): Pick<DrawnRows, 'follow' | 'show' | 'refit'> {
  return {
    follow: () => setFollowing(true),
    show: (row) => {
      setFollowing(false);
      // Drawing scrolls to it: the list may have to become longer first.
      target.current = row;
      setRange({ from: row, to: row + 1 });
    },
    refit: (changed, isHiddenNow) => {
      setFollowing(false);
      heights.fit(changed.from, changed.to, isHiddenNow);
      update();
    },
  };
}

interface Moved {
  readonly heights: RowHeights;
  readonly setFollowing: (isFollowing: boolean) => void;
  readonly update: () => void;
  readonly target: RefObject<number | undefined>;
  readonly setRange: (range: RowRange) => void;
}

const noneHidden = (): boolean => false;

/** A reference to the value of the last rendering. */
function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

function useJump(): Jump {
  const [jump] = useState(() => new Jump());
  useEffect(() => () => jump.end(), [jump]);
  return jump;
}

/** Records the heights of the drawn rows. */
function measure(list: HTMLElement, heights: RowHeights): void {
  for (const row of list.children)
    if (row instanceof HTMLElement) heights.set(Number(row.dataset['row']), row.offsetHeight);
}

/** Calls a function when one of the elements changes its size. */
function useResizing(
  [one, other]: readonly [RefObject<HTMLElement | null>, RefObject<HTMLElement | null>],
  onResize: () => void,
): void {
  useEffect(() => {
    const observer = new ResizeObserver(onResize);
    if (one.current) observer.observe(one.current);
    if (other.current) observer.observe(other.current);
    return () => observer.disconnect();
  }, [one, other, onResize]);
}

/**
 * A jump to rows that were not drawn. The rows beyond the edges of the screen follow a little later, which halves the work of one frame.
 */
class Jump {
  #timer: ReturnType<typeof setTimeout> | undefined;

  get isRecent(): boolean {
    return this.#timer !== undefined;
  }

  /** @param then called when the jump is no longer recent */
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
