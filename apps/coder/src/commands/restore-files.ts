import type { Meta, SessionFork } from '@turnwire/agent';
import { invalidParams, turnwireMeta } from '@turnwire/protocol';
import type { CoderSession, SessionMemory } from '../session/session-memory.ts';
import { takeBackTurn } from './take-back-turn.ts';

/**
 * Undoes the last turns of a forked session, as `/undo` does, if the fork leaves them out and its client also wants the earlier files.
 * Returns the report for the answer.
 */
export async function restoreFiles(
  { memory }: CoderSession,
  { source, meta }: SessionFork<SessionMemory>,
): Promise<Meta | undefined> {
  const { restoreFiles: isWanted } = turnwireMeta<'session/fork'>(meta);
  if (isWanted !== true) return undefined;
  if (!source)
    throw invalidParams('_meta.turnwire.restoreFiles: the session is not open, so its files cannot be restored');
  const reports: string[] = [];
  // One undo may take back several prompts: those of a turn that was continued.
  while (source.memory.conversation.turnsBeyond(memory.conversation) > 0) {
    const report = await takeBackTurn(source, {});
    if (report === undefined) break;
    reports.push(report);
  }
  return { turnwire: { restored: reports.join('\n\n') || 'No file had to be restored.' } };
}
