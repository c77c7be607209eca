import type { MessageEntry, TerminalView, ToolCallEntry } from '@turnwire/client/transcript';
import type { Diff } from '@turnwire/protocol';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import { contentText } from '../content-text.ts';

/** Everything of a message that can be shown as text. */
export function messageText({ content }: Pick<MessageEntry, 'content'>): string {
  return cleanText(content.map(contentText).join('\n')).trim();
}

/** What a document shows of a tool call. */
export interface CallFacts {
  /** ✓, ✗ or –. */
  readonly mark: string;
  readonly title: string;
  /** The command, if the title does not say it. */
  readonly command?: string;
  /** How it ended, where the mark does not say that. */
  readonly end?: string;
  readonly diffs: readonly Diff[];
  /** Its output, or its text. */
  readonly output: string;
}

/** Of what an agent reads and finds, the text is not shown: it was for the agent. */
const forTheAgent = new Set(['read', 'search', 'edit']);

export function callFacts(call: ToolCallEntry, terminals: ReadonlyMap<string, TerminalView>): CallFacts {
  const title = cleanLine(call.title) || cleanLine(call.toolCallId);
  const command = cleanText(call.command ?? '').trim();
  const end = endOf(call);
  return {
    mark: call.state === 'completed' ? '✓' : call.state === 'failed' ? '✗' : '–',
    title,
    ...(command !== '' && !title.includes(cleanLine(command)) && { command }),
    ...(end !== undefined && { end }),
    diffs: call.content.filter((item): item is Extract<typeof item, { readonly type: 'diff' }> => item.type === 'diff'),
    output: outputOf(call, terminals),
  };
}

function endOf({ state, exitCode }: ToolCallEntry): string | undefined {
  if (state === 'cancelled') return 'cancelled';
  if (state === 'abandoned' || state === 'pending' || state === 'in_progress') return 'not finished';
  return typeof exitCode === 'number' && exitCode !== 0 ? `exit code ${exitCode}` : undefined;
}

function outputOf(call: ToolCallEntry, terminals: ReadonlyMap<string, TerminalView>): string {
  const shown = call.content.flatMap((item) =>
    item.type === 'terminal' && 'terminalId' in item ? [terminals.get(String(item.terminalId))?.output ?? ''] : [],
  );
  if (shown.length > 0) return cleanText(shown.join('\n')).trimEnd();
  if (forTheAgent.has(call.kind) && call.state === 'completed') return '';
  const texts = call.content.flatMap((item) =>
    item.type === 'content' && 'content' in item ? [contentText(item.content)] : [],
  );
  return cleanText(call.output ?? texts.join('\n')).trimEnd();
}
