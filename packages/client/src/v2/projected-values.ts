import { parsePatch, type StructuredPatch } from 'diff';
import type {
  AvailableCommand,
  PlanEntry,
  SessionConfigOption,
  SessionModeState,
  ToolCallContent,
} from '@turnwire/protocol';
import type {
  AvailableCommand as V2Command,
  Diff,
  DiffChange,
  PlanEntry as V2PlanEntry,
  SessionConfigOption as V2Option,
  ToolCallContent as V2Content,
} from '@turnwire/protocol/v2';
import { selectValues } from '../session/session-config-options.ts';

/** Options in the form of version 1, in which the fields for ids have other names. */
export function projectedOptions(options: readonly V2Option[]): SessionConfigOption[] {
  return options.map(({ configId: id, ...option }) => {
    if (option.type !== 'select') return { ...option, id } as SessionConfigOption;
    const values = option.options as readonly { readonly groupId?: string }[];
    const projected = values.map(({ groupId, ...each }) =>
      groupId === undefined ? each : { ...each, group: groupId },
    );
    return { ...option, id, options: projected } as unknown as SessionConfigOption;
  });
}

/** The modes of a session: the values of its option for them. */
export function projectedModes(options: readonly SessionConfigOption[]): SessionModeState | undefined {
  const option = options.find(({ category }) => category === 'mode');
  if (option?.type !== 'select') return undefined;
  const availableModes = selectValues(option).map(({ value: id, ...mode }) => ({ id, ...mode }));
  return { currentModeId: option.currentValue, availableModes };
}

/** Slash commands; those of unknown types have a name and a description too. */
export function projectedCommands(commands: readonly V2Command[]): readonly AvailableCommand[] {
  return commands.map(({ name, description, ...command }) => {
    const { hint } = (command as { readonly input?: { readonly hint?: unknown } | null }).input ?? {};
    return { name, description, ...(typeof hint === 'string' && { input: { hint } }) };
  });
}

/** A cancelled entry is a completed one in version 1, with a note. */
export function projectedPlan(entries: readonly V2PlanEntry[]): PlanEntry[] {
  return entries.map((entry) =>
    entry.status === 'cancelled'
      ? ({ ...entry, content: `${entry.content} (cancelled)`, status: 'completed' } as PlanEntry)
      : (entry as PlanEntry),
  );
}

/** The content of a tool call without its terminals, whose output is reported with the call. */
export function projectedContent(content: readonly V2Content[]): ToolCallContent[] {
  return content.flatMap((item): unknown[] => {
    if (item.type === 'terminal') return [];
    return item.type === 'diff' ? projectedDiff(item) : [item];
  }) as ToolCallContent[];
}

/** The paths of all files that the diffs of a tool call change. */
export function changedPaths(content: readonly V2Content[]): readonly string[] {
  const changes = content.flatMap((item) => (item.type === 'diff' ? item.changes : []));
  const paths = changes.flatMap((change) => ['oldPath' in change ? change.oldPath : undefined, change.path]);
  return [...new Set(paths)].filter((path) => typeof path === 'string');
}

/** The changed parts of each file as texts before and after, and a sentence for every change that these do not show. */
function projectedDiff({ changes, patch }: Diff): ToolCallContent[] {
  const files = patch?.format === 'git_patch' ? patchedFiles(patch.text) : [];
  const parts = files.flatMap(changedParts);
  const shown = new Set(parts.map(({ path }) => path));
  const rest = changes.filter(({ operation, path }) => !inTexts.has(operation) || !shown.has(String(path)));
  const texts = rest.map((change): ToolCallContent => ({
    ...{ type: 'content', content: { type: 'text', text: changeText(change) } },
    _meta: { turnwire: { isChange: true } },
  }));
  return [...parts, ...texts];
}

/** The operations that the texts of a file express. */
const inTexts: ReadonlySet<string> = new Set(['add', 'modify']);

/** None if the text is not a patch. */
function patchedFiles(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch {
    return [];
  }
}

function changedParts({ oldFileName, newFileName, hunks }: StructuredPatch): (ToolCallContent & {
  readonly type: 'diff';
  readonly path: string;
})[] {
  const isNew = oldFileName === '/dev/null';
  const path = (newFileName === '/dev/null' ? oldFileName : newFileName) ?? '';
  const side = (lines: readonly string[], mark: string): string =>
    lines
      .filter((line) => line.startsWith(' ') || line.startsWith(mark))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return hunks.map(({ lines }) => ({
    ...{ type: 'diff', path, newText: side(lines, '+') },
    oldText: isNew ? null : side(lines, '-'),
  }));
}

const verbs: Readonly<Record<string, string | undefined>> = {
  add: 'Created',
  modify: 'Changed',
  delete: 'Deleted',
  move: 'Moved',
  copy: 'Copied',
};

function changeText(change: DiffChange): string {
  const { operation, path, oldPath } = change as { readonly [field in 'operation' | 'path' | 'oldPath']?: string };
  const names = [oldPath, path].filter((name) => typeof name === 'string').join(' to ');
  return `${verbs[operation ?? ''] ?? operation} ${names}`;
}
