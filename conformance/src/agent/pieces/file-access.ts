import { Stopped } from '../../wire/stopped.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentStage } from '../agent-stage.ts';
import { askedIn, toolReportsIn } from './frames.ts';

/** The result of asking an agent for a file. */
export interface FileAccess {
  /** `given` without a question, `asked` about first, or `withheld`. */
  readonly outcome: 'given' | 'asked' | 'withheld';
  readonly entries: readonly JournalEntry[];
}

/** A file to ask for, with a unique word in it. */
export interface Wanted {
  readonly path: string;
  readonly word: string;
}

/** Asks the agent to read a file. The scenario stops if it does not even try. */
export async function readThroughAgent(
  stage: AgentStage,
  { wire, sessionId }: { readonly wire: Wire; readonly sessionId: string },
  wanted: Wanted,
): Promise<FileAccess> {
  const { path } = wanted;
  const { entries } = await stage.prompt(wire, sessionId, stage.steer('read', { path }));
  if (askedIn(entries, 'session/request_permission').length > 0) return { outcome: 'asked', entries };
  if (isReported(entries, wanted)) return { outcome: 'given', entries };
  if (toolReportsIn(entries).length === 0) throw new Stopped(`asked to read ${path}, the agent did not try`);
  return { outcome: 'withheld', entries };
}

/** Whether the agent reported the content of a file. */
export function isReported(entries: readonly JournalEntry[], { word }: Wanted): boolean {
  return entries.some(({ from, text }) => from === 'agent' && text.includes(word));
}
