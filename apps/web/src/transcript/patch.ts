import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { diffTime, linesOf } from './diff-rows.ts';

/** A change of a file. */
export interface Change {
  readonly path: string;
  /** Null: the file is new. */
  readonly before: string | null;
  readonly after: string;
}

/** A change as a unified patch. */
export function patchOf({ path, before, after }: Change): string {
  const names = [before === null ? '/dev/null' : path, path] as const;
  const options = { headerOptions: FILE_HEADERS_ONLY, timeout: diffTime };
  return (
    createTwoFilesPatch(...names, before ?? '', after, undefined, undefined, options) ??
    `--- ${names[0]}\n+++ ${names[1]}\n${replacement(linesOf(before ?? ''), linesOf(after))}`
  );
}

/** Everything removed and added. */
function replacement(removed: readonly string[], added: readonly string[]): string {
  const [left, right] = [removed, added].map(({ length }) => `${Math.min(1, length)},${length}`);
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return `@@ -${left} +${right} @@\n${lines.join('\n')}\n`;
}
