import type { Diff, ToolCallContent } from '@turnwire/protocol';
import { isChange } from '../transcript/tool-call-data.ts';
import type { TerminalView, ToolCallEntry } from '../transcript/transcript-view.ts';
import { cleanLine } from '../unseen-characters/clean-text.ts';
import { contentText } from './content-text.ts';

/** A tool call as every surface shows it. Texts are as received. */
export interface CallBlock {
  readonly type: 'call';
  readonly call: ToolCallEntry;
  /** Never empty. */
  readonly title: string;
  /** The command, if the title does not contain it. */
  readonly command?: string;
  /** How it ended, unless its state says it: `exit code 1`. Also `paused`. */
  readonly end?: string;
  readonly diffs: readonly Diff[];
  /** Changes of files that have no diff, one sentence each: `Moved /a to /b`. */
  readonly changes: readonly string[];
  /** Its output, from terminals of the client or from the agent's reports. */
  readonly output: string;
  /** The rest of its content: texts, and placeholders for other content. */
  readonly texts: readonly string[];
}

/** Returns the facts of a tool call that every surface shows. */
export function callBlock(call: ToolCallEntry, terminals: ReadonlyMap<string, TerminalView>): CallBlock {
  const { command, content } = call;
  const shown = cleanLine(call.title);
  const end = endOf(call);
  const printed = content.flatMap((item) =>
    item.type === 'terminal' && 'terminalId' in item ? [terminals.get(String(item.terminalId))?.output ?? ''] : [],
  );
  return {
    type: 'call',
    call,
    title: shown === '' ? call.toolCallId : call.title,
    ...(command !== undefined && !shown.includes(cleanLine(command)) && { command }),
    ...(end !== undefined && { end }),
    diffs: content.filter((item): item is Extract<typeof item, { readonly type: 'diff' }> => item.type === 'diff'),
    output: printed.length > 0 ? printed.join('\n') : (call.output ?? ''),
    changes: content.flatMap((item) => (isChange(item) ? [itemText(item)] : [])),
    texts: content.flatMap((item) =>
      item.type === 'diff' || item.type === 'terminal' || isChange(item) ? [] : [itemText(item)],
    ),
  };
}

/** The text of content that is neither a diff nor a terminal. Content of an unknown type has a placeholder. */
function itemText(item: ToolCallContent): string {
  return item.type === 'content' && 'content' in item ? contentText(item.content) : `[${item.type}]`;
}

function endOf({ state, exitCode }: ToolCallEntry): string | undefined {
  if (state === 'paused') return 'paused';
  if (state === 'cancelled') return 'cancelled';
  if (state === 'abandoned') return 'not finished';
  return typeof exitCode === 'number' && exitCode !== 0 ? `exit code ${exitCode}` : undefined;
}
