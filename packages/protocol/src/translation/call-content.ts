import type { ToolCallContent as V1Content } from '../generated/types.ts';
import type { ToolCallContent } from '../generated/v2-types.ts';
import { mostOfOne, sizeOf } from './newest-reports.ts';
import { contentInVersion1 } from './values-in-version-1.ts';

/** The content of a tool call. If it grows in chunks beyond 262,144 UTF-16 units of JSON, its first items are left out. */
export interface CallContent {
  readonly items: readonly ToolCallContent[];
  /** Its size in UTF-16 units. */
  readonly units: number;
  /** The first items were left out. */
  readonly isCut: boolean;
}

export const noContent: CallContent = { items: [], units: 0, isCut: false };

/** The size that is left when a content is too large: a quarter less, so that not every further item removes one. */
const leftAfterCut = (mostOfOne / 4) * 3;

/** Stands for the items that were left out. */
const leftOut: V1Content = { type: 'content', content: { type: 'text', text: 'The beginning was left out.' } };

/** A content that was reported as a whole. */
export function wholeContent(items: readonly ToolCallContent[]): CallContent {
  return { items, units: items.reduce((sum, item) => sum + sizeOfItem(item), 0), isCut: false };
}

/** The content after another item. */
export function grownContent({ items, units, isCut }: CallContent, item: ToolCallContent): CallContent {
  const grown = { items: [...items, item], units: units + sizeOfItem(item), isCut };
  return grown.units > mostOfOne ? withoutOldest(grown) : grown;
}

/** The content in the form of version 1. */
export function shownContent({ items, isCut }: CallContent): V1Content[] {
  return [...(isCut ? [leftOut] : []), ...contentInVersion1(items)];
}

/** The newest items, at least one. */
function withoutOldest({ items, units }: CallContent): CallContent {
  let left = units;
  const start = items.findIndex((item, index) => {
    if (left <= leftAfterCut || index === items.length - 1) return true;
    left -= sizeOfItem(item);
    return false;
  });
  return { items: items.slice(start), units: left, isCut: true };
}

function sizeOfItem(item: ToolCallContent): number {
  return sizeOf(JSON.stringify(item));
}
