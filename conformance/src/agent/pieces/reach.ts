import { Stopped } from '../../verdict/stopped.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentStage } from '../agent-stage.ts';
import { askedIn, toolReportsIn } from './frames.ts';

/** What came of asking an agent for a file. */
export interface Reach {
  /** `given` without a question, `asked` about first, or `withheld`. */
  readonly outcome: 'given' | 'asked' | 'withheld';
  readonly entries: readonly JournalEntry[];
}

/** A file to ask for, and a word in it that is written nowhere else. */
export interface Wanted {
  readonly path: string;
  readonly word: string;
}

/** Asks the agent to read a file. The scenario stops if it does not even try. */
export async function reach(
  stage: AgentStage,
  { wire, sessionId }: { readonly wire: Wire; readonly sessionId: string },
  wanted: Wanted,
): Promise<Reach> {
  const { path } = wanted;
  const { entries } = await stage.prompt(wire, sessionId, stage.steer('read', { path }));
  if (askedIn(entries, 'session/request_permission').length > 0) return { outcome: 'asked', entries };
  if (isTold(entries, wanted)) return { outcome: 'given', entries };
  if (toolReportsIn(entries).length === 0) throw new Stopped(`asked to read ${path}, the agent did not try`);
  return { outcome: 'withheld', entries };
}

/** Whether the agent told what is in a file. */
export function isTold(entries: readonly JournalEntry[], { word }: Wanted): boolean {
  return entries.some(({ from, text }) => from === 'agent' && text.includes(word));
}
