import type { Diff } from '@turnwire/protocol';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { linesOf, mostEdits } from './diff-rows.ts';

/** A diff as a unified patch, with three unchanged lines around each change. */
export function patchText({ path, oldText, newText }: Diff): string {
  const isNew = oldText === undefined || oldText === null;
  const [from, before] = isNew ? ['/dev/null', ''] : [path, oldText];
  const options = { headerOptions: FILE_HEADERS_ONLY, maxEditLength: mostEdits, context: 3 };
  return (
    createTwoFilesPatch(from, path, before, newText, undefined, undefined, options) ??
    `--- ${from}\n+++ ${path}\n${replacement(linesOf(before), linesOf(newText))}`
  );
}

/** A patch that removes and adds everything. */
function replacement(removed: readonly string[], added: readonly string[]): string {
  const [left, right] = [removed, added].map(({ length }) => `${Math.min(1, length)},${length}`);
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return `@@ -${left} +${right} @@\n${lines.join('\n')}\n`;
}
