import type { Diff, RequestPermissionRequest } from '@turnwire/protocol';
import { fieldsOf, type InputFields, plain } from './command-input.ts';
import type { Action } from './permissions.ts';

/** Keys under which agents send the texts of an edit, and the whole text of a file, in lower case and without `_`. */
const oldKeys: ReadonlySet<string> = new Set(['oldstring', 'oldstr', 'oldtext', 'before', 'search']);
const newKeys: ReadonlySet<string> = new Set(['newstring', 'newstr', 'newtext', 'after', 'replace']);
const wholeKeys: ReadonlySet<string> = new Set(['content', 'contents', 'text', 'filetext', 'newcontent']);

/** The changes that a question shows: the request's diffs, or else those in its input, in order. An approval covers only these. */
export function shownDiffs(
  { toolCall: { content, rawInput } }: Pick<RequestPermissionRequest, 'toolCall'>,
  { kind, paths, namedCommands }: Action,
): readonly Diff[] {
  const given = (content ?? []).flatMap((each) =>
    each.type === 'diff' && 'newText' in each
      ? [{ path: each.path, oldText: each.oldText ?? null, newText: each.newText }]
      : [],
  );
  const [path, another] = paths;
  if (given.length > 0 || kind !== 'edit' || path === undefined || another !== undefined || namedCommands) return given;
  const input = fieldsOf(rawInput) ?? {};
  const edits = Object.values(input).flatMap((value) => (Array.isArray(value) ? value : []));
  return [input, ...edits.map((each: unknown) => fieldsOf(each) ?? {})].flatMap((fields) => diffIn(fields, path));
}

function diffIn(fields: InputFields, path: string): readonly Diff[] {
  const [oldText] = textsUnder(fields, oldKeys);
  const [newText] = textsUnder(fields, newKeys);
  if (oldText !== undefined && newText !== undefined) return [{ path, oldText, newText }];
  const [whole, more] = textsUnder(fields, wholeKeys);
  return whole === undefined || more !== undefined ? [] : [{ path, oldText: null, newText: whole }];
}

function textsUnder(fields: InputFields, wanted: ReadonlySet<string>): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    wanted.has(plain(key)) && typeof value === 'string' ? [value] : [],
  );
}
