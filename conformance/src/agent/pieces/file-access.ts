import { Stopped } from '../../wire/stopped.ts';
import type { Frames } from '../frames.ts';
import type { RunningTurn } from '../running-turn.ts';
import type { Session } from '../session.ts';

/** A file to ask for, with a unique word in it. */
export interface Wanted {
  readonly path: string;
  readonly word: string;
}

/** Asks the agent to read a file: whether it was given without a question, or asked about first. The scenario stops if it does not even try. */
export async function readThrough(
  session: Session,
  { path, word }: Wanted,
): Promise<{ readonly outcome: 'given' | 'asked' | 'withheld'; readonly turn: RunningTurn }> {
  const turn = await session.does('read', { path });
  if (turn.asked('session/request_permission').length > 0) return { outcome: 'asked', turn };
  if (isReported(turn, word)) return { outcome: 'given', turn };
  if (turn.toolReports.length === 0) throw new Stopped(`asked to read ${path}, the agent did not try`);
  return { outcome: 'withheld', turn };
}

export function isReported({ entries }: Frames, word: string): boolean {
  return entries.some(({ from, text }) => from === 'agent' && text.includes(word));
}
