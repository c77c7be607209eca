import type { CoderTurn } from '../session/session-memory.ts';

/** Shows the warnings of the settings files, in the first turn after they were read. */
export async function reportSettingsWarnings(turn: CoderTurn): Promise<void> {
  for (const title of turn.session.memory.settingsWarnings.take()) await turn.notice({ severity: 'warning', title });
}
