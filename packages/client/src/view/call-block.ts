import type { Diff } from '@turnwire/protocol';
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
  /** How it ended, unless its state says it: `exit code 1`. */
  readonly end?: string;
  readonly diffs: readonly Diff[];
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
    texts: content.flatMap((item) => (item.type === 'content' && 'content' in item ? [contentText(item.content)] : [])),
  };
}

function endOf({ state, exitCode }: ToolCallEntry): string | undefined {
  if (state === 'cancelled') return 'cancelled';
  if (state === 'abandoned') return 'not finished';
  return typeof exitCode === 'number' && exitCode !== 0 ? `exit code ${exitCode}` : undefined;
}
