import type {
  AvailableCommand,
  PlanEntry,
  SessionConfigOption,
  SessionModeState,
  ToolCallContent,
} from '../generated/types.ts';
import type {
  AvailableCommand as V2Command,
  Diff,
  DiffChange,
  PlanEntry as V2PlanEntry,
  SessionConfigOption as V2Option,
  ToolCallContent as V2Content,
} from '../generated/v2-types.ts';
import { patchedTexts } from './patched-texts.ts';

/** Options in the form of version 1, in which the fields for ids have other names. */
export function optionsInVersion1(options: readonly V2Option[]): SessionConfigOption[] {
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
export function modesInVersion1(options: readonly SessionConfigOption[]): SessionModeState | undefined {
  const option = options.find(({ category }) => category === 'mode');
  if (option?.type !== 'select') return undefined;
  const values = option.options.flatMap((each) => ('group' in each ? each.options : [each]));
  const availableModes = values.map(({ value: id, ...mode }) => ({ id, ...mode }));
  return { currentModeId: option.currentValue, availableModes };
}

/** Slash commands; those of unknown types have a name and a description too. */
export function commandsInVersion1(commands: readonly V2Command[]): readonly AvailableCommand[] {
  return commands.map(({ name, description, ...command }) => {
    const { input, _meta } = command as Pick<AvailableCommand, '_meta'> & {
      readonly input?: { readonly hint?: unknown } | null;
    };
    const hint = input?.hint;
    return { name, description, ...(typeof hint === 'string' && { input: { hint } }), ...(_meta && { _meta }) };
  });
}

/** A cancelled entry is a completed one in version 1, with a note. */
export function planInVersion1(entries: readonly V2PlanEntry[]): PlanEntry[] {
  return entries.map((entry) =>
    entry.status === 'cancelled'
      ? ({ ...entry, content: `${entry.content} (cancelled)`, status: 'completed' } as PlanEntry)
      : (entry as PlanEntry),
  );
}

/** The content of a tool call without its terminals, whose output is reported with the call. */
export function contentInVersion1(content: readonly V2Content[]): ToolCallContent[] {
  return content.flatMap((item): unknown[] => {
    if (item.type === 'terminal') return [];
    return item.type === 'diff' ? diffInVersion1(item) : [item];
  }) as ToolCallContent[];
}

/** The paths of all files that the diffs of a tool call change. */
export function changedPaths(content: readonly V2Content[]): readonly string[] {
  const changes = content.flatMap((item) => (item.type === 'diff' ? item.changes : []));
  const paths = changes.flatMap((change) => ['oldPath' in change ? change.oldPath : undefined, change.path]);
  return [...new Set(paths)].filter((path) => typeof path === 'string');
}

/** The changed parts of each file as texts before and after, and a sentence for every change that these do not show. */
function diffInVersion1({ changes, patch, _meta }: Diff): ToolCallContent[] {
  const parts = patch?.format === 'git_patch' ? patchedTexts(patch.text) : [];
  const shown = new Set(parts.map(({ path }) => path));
  const rest = changes.filter(({ operation, path }) => !inTexts.has(operation) || !shown.has(String(path)));
  const texts = rest.map((change): ToolCallContent => ({
    ...{ type: 'content', content: { type: 'text', text: changeText(change) } },
    _meta: { turnwire: { isChange: true } },
  }));
  return [...parts.map((part): ToolCallContent => ({ type: 'diff', ...part, ...(_meta && { _meta }) })), ...texts];
}

/** The operations that the texts of a file express. */
const inTexts: ReadonlySet<string> = new Set(['add', 'modify']);

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
