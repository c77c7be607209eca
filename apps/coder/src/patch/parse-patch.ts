import { ToolInputError } from '../tool-error.ts';

/** One changed part of a file. */
export interface Hunk {
  /** A line above it, such as the head of its function. Undefined: it follows the previous hunk. */
  readonly below: string | undefined;
  /** Its lines before and after the change. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The change to one file. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'update'; readonly path: string; readonly hunks: readonly Hunk[] };

/**
 * Reads a patch as OpenAI's models write it: between `*** Begin Patch` and `*** End Patch` files to add, to delete and to update, the
 * latter with unchanged, removed and added lines (` `, `-`, `+`) below `@@` and, if needed, a line above them.
 * @throws ToolInputError that names the first line that is not understood
 */
export function parsePatch(patch: string): readonly FilePatch[] {
  const lines = patch.replaceAll('\r\n', '\n').trim().split('\n');
  if (lines[0]?.trim() !== '*** Begin Patch' || lines.at(-1)?.trim() !== '*** End Patch')
    throw new ToolInputError('A patch begins with the line "*** Begin Patch" and ends with "*** End Patch".');
  const parts = sectionsOf(lines.slice(1, -1));
  if (parts.length === 0) throw new ToolInputError('The patch names no file.');
  return parts.map(filePatch);
}

interface Section {
  readonly kind: string;
  readonly path: string;
  readonly body: string[];
}

function sectionsOf(lines: readonly string[]): readonly Section[] {
  const sections: Section[] = [];
  for (const line of lines) {
    const [, kind, path] = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(line) ?? [];
    if (kind !== undefined && path !== undefined) sections.push({ kind, path: path.trim(), body: [] });
    else if (sections.length === 0) throw notUnderstood(line, 'a file comes first, such as "*** Update File: a.ts"');
    else if (line.startsWith('*** Move to:'))
      throw notUnderstood(line, 'move the file with the tool move, then patch it');
    else if (line !== '*** End of File') sections.at(-1)?.body.push(line);
  }
  return sections;
}

function filePatch({ kind, path, body }: Section): FilePatch {
  if (kind === 'Delete') return { kind: 'delete', path };
  if (kind === 'Update') return { kind: 'update', path, hunks: hunksOf(body) };
  const strange = body.find((line) => !line.startsWith('+'));
  if (strange !== undefined) throw notUnderstood(strange, 'each line of a new file begins with "+"');
  return { kind: 'add', path, text: body.map((line) => `${line.slice(1)}\n`).join('') };
}

function hunksOf(body: readonly string[]): readonly Hunk[] {
  const starts = body.flatMap((line, at) => (line.startsWith('@@') ? [at] : []));
  const all = starts[0] === 0 ? starts : [0, ...starts];
  return all
    .map((start, at) => hunk(body.slice(start, all[at + 1])))
    .filter(({ before, after }) => before.length + after.length > 0);
}

function hunk([first = '', ...rest]: readonly string[]): Hunk {
  const hasHead = first.startsWith('@@');
  // Models leave out the space of an empty line.
  const lines = (hasHead ? rest : [first, ...rest]).map((line) => (line === '' ? ' ' : line));
  const strange = lines.find((line) => !/^[-+ ]/.test(line));
  if (strange !== undefined) throw notUnderstood(strange, 'a line begins with " ", "-" or "+"');
  const without = (sign: string): readonly string[] =>
    lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
  return { below: (hasHead && first.slice(2).trim()) || undefined, before: without('+'), after: without('-') };
}

function notUnderstood(line: string, rule: string): ToolInputError {
  return new ToolInputError(`The line ${JSON.stringify(line.slice(0, 200))} of the patch is not understood: ${rule}.`);
}
