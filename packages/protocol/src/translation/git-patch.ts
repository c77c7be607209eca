/** Unchanged lines shown around a change. */
const context = 3;

/** A patch in the form of Git from one text of a file to another: one hunk from the first to the last changed line. */
export function gitPatch(path: string, before: string | undefined, after: string): string {
  const [old, now] = [linesOf(before ?? ''), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let same = 0;
  while (same < old.length - start && same < now.length - start && old.at(-1 - same) === now.at(-1 - same)) same++;
  const from = Math.max(0, start - context);
  const following = Math.min(same, context);
  const oldEnd = old.length - same;
  const nowEnd = now.length - same;
  const lines = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, oldEnd).map((line) => `-${line}`),
    ...now.slice(start, nowEnd).map((line) => `+${line}`),
    ...old.slice(oldEnd, oldEnd + following).map((line) => ` ${line}`),
  ];
  const hunk = `@@ -${range(from, oldEnd + following)} +${range(from, nowEnd + following)} @@\n`;
  const header = `diff --git ${path} ${path}\n${before === undefined ? 'new file mode 100644\n' : ''}`;
  if (lines.length === 0) return header;
  return `${header}--- ${before === undefined ? '/dev/null' : path}\n+++ ${path}\n${hunk}${lines.join('')}`;
}

/** The lines with their ends. The last one may lack its end, which Git marks. */
function linesOf(text: string): readonly string[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`));
}

/** The first line and the count of a part of a file. An empty part is named after the line before it. */
function range(from: number, end: number): string {
  return `${end === from ? from : from + 1},${end - from}`;
}
