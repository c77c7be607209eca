import type { z } from 'zod';

const mostPages = 100;
const mostItems = 10_000;

/** A list joined from pages. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  /** Why items are missing: sentences. */
  readonly warnings: readonly string[];
}

/** A paged request. */
export interface Pages<Item> {
  /** The items' name, for messages: `tools`. */
  readonly what: string;
  readonly shape: z.ZodType<Item>;
  /** Fetches one page. */
  readonly page: (cursor: string | undefined) => Promise<{ readonly [key: string]: unknown }>;
  /** The field of a page that has the items. */
  readonly field: string;
}

/**
 * Collects a list page by page: at most 100 pages and 10,000 items, and no cursor twice. Invalid items
 * are left out.
 */
export async function listPages<Item>({ what, shape, page, field }: Pages<Item>): Promise<Listing<Item>> {
  const raw: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const next = await page(cursor);
    raw.push(...itemsOf(next[field]));
    cursor = typeof next['nextCursor'] === 'string' && next['nextCursor'] !== '' ? next['nextCursor'] : undefined;
    if (cursor !== undefined && (seen.has(cursor) || seen.size + 1 >= mostPages || raw.length > mostItems))
      return cut(`Its list of ${what} does not end`, { raw, shape });
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  if (raw.length > mostItems) return cut(`It has more than ${mostItems} ${what}`, { raw, shape });
  return understood({ raw, shape }, what);
}

function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.slice(0, mostItems + 1) : [];
}

function cut<Item>(reason: string, { raw, shape }: Found<Item>): Listing<Item> {
  const { items } = understood({ raw: raw.slice(0, mostItems), shape }, '');
  return { items, warnings: [`${reason}; only the first ${items.length} are used.`] };
}

interface Found<Item> {
  readonly raw: readonly unknown[];
  readonly shape: z.ZodType<Item>;
}

function understood<Item>({ raw, shape }: Found<Item>, what: string): Listing<Item> {
  const items = raw.flatMap((each) => {
    const read = shape.safeParse(each);
    return read.success ? [read.data] : [];
  });
  const lost = raw.length - items.length;
  return { items, warnings: lost === 0 ? [] : [`${lost} of its ${what} are invalid and left out.`] };
}
