import type { TranscriptView } from '../transcript/transcript-view.ts';
import { cleanLine, cleanText } from '../unseen-characters/clean-text.ts';
import type { CallBlock } from './call-block.ts';
import { isCallOver } from './times.ts';

/** A session as a text to read or to keep. */
export interface SessionDocument {
  /** Its title or its first words; one line. */
  readonly title: string;
  /** Names with values: the agent, the folder. */
  readonly facts: Readonly<Record<string, string>>;
  readonly view: TranscriptView;
}

/** A tool call as every document writes it, without control characters. */
export interface CallText {
  /** `✓ Run the tests (exit code 1)` in its parts. */
  readonly mark: '✓' | '✗' | '–';
  readonly title: string;
  readonly end?: string;
  readonly command?: string;
  /** Files that were moved, copied or deleted, one per line. */
  readonly changes: string;
  readonly output: string;
}

/** Kinds of calls whose result is for the agent: it is not shown unless they failed. */
const forTheAgent: ReadonlySet<string> = new Set(['read', 'search', 'edit']);

/** A tool call as every document writes it. */
export function callText({ call, title, command, end, changes, output, texts }: CallBlock): CallText {
  const { state, kind, content } = call;
  const ending = end ?? (isCallOver(call) ? undefined : 'not finished');
  const isHidden = forTheAgent.has(kind) && state === 'completed' && !content.some(({ type }) => type === 'terminal');
  return {
    mark: state === 'completed' ? '✓' : state === 'failed' ? '✗' : '–',
    title: cleanLine(title),
    ...(ending !== undefined && { end: ending }),
    ...(command !== undefined && { command: cleanText(command).trim() }),
    changes: cleanText(changes.join('\n')),
    output: isHidden ? '' : cleanText(output === '' ? texts.join('\n') : output).trimEnd(),
  };
}
