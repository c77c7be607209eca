import type { CoderTurn } from '../session/session-memory.ts';

/** Tells what was wrong in the files of settings, in the first turn there is after they were read. */
export async function reportSettingsWarnings(turn: CoderTurn): Promise<void> {
  for (const title of turn.session.memory.settingsWarnings.take()) await turn.notice({ severity: 'warning', title });
}
