import type { ToolCallUpdate } from '@turnwire/protocol';

/** The changes of a patch. */
export interface Patch {
  readonly kind: 'edit' | 'delete';
  /** As written in the patch, in its order. */
  readonly paths: readonly string[];
}

/** Keys under which agents send a patch. */
const patchKeys = ['input', 'patch', 'patchText', 'patch_text'];

/**
 * The patch that is a tool's whole input, in the format that begins with `*** Begin Patch`; undefined for other input, or if the tool's
 * name shows that it does something else.
 */
export function patchOf({ kind, name, rawInput }: ToolCallUpdate): Patch | undefined {
  if (!/^(?:other|edit|delete|move)$/.test(kind ?? 'other')) return undefined;
  if (typeof name === 'string' && !/patch|edit|write/i.test(name)) return undefined;
  const text = patchText(rawInput)?.trim();
  if (text === undefined || !/^\*\*\* Begin Patch\s/.test(text) || !text.endsWith('\n*** End Patch')) return undefined;
  const changes = [...text.matchAll(/^\*\*\* (?:(Add|Update|Delete) File|Move to): *(\S.*?)\s*$/gm)];
  const isDeleting = changes.every(([, verb]) => verb === 'Delete');
  const paths = [...new Set(changes.map(([, , path = '']) => path))];
  return paths.length === 0 ? undefined : { kind: isDeleting ? 'delete' : 'edit', paths };
}

/** The only text in the input. A tool with more fields does more than apply a patch. */
function patchText(rawInput: unknown): string | undefined {
  if (typeof rawInput === 'string') return rawInput;
  if (typeof rawInput !== 'object' || rawInput === null) return undefined;
  const [entry, ...others] = Object.entries(rawInput);
  return entry && others.length === 0 && patchKeys.includes(entry[0]) && typeof entry[1] === 'string'
    ? entry[1]
    : undefined;
}
