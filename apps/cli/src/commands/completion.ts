import type { Command } from 'commander';
import { agentNames } from '../config/agent-names.ts';
import { candidates } from '../completion/candidates.ts';
import { completionScript, type Shell } from '../completion/shell-scripts.ts';
import { readConfig } from '../config/read-config.ts';
import { exitCodes } from '../exit-codes.ts';
import { ownPlaces } from '../own-places/own-places.ts';
import { NamedSessions } from '../store/named-sessions.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { stdout } from '../terminal/output.ts';

/** Prints the completion script of a shell. Returns the exit code. */
export function printCompletion(shell: Shell): number {
  stdout.print(completionScript(shell));
  return exitCodes.ok;
}

/** Prints the candidates for the last word, one per line. The first line says whether the shell should also offer files. Never fails. */
export async function printCandidates(program: Command, words: readonly string[]): Promise<number> {
  const { config } = await readConfig(process.cwd()).catch(() => ({ config: {} }));
  const sources = { agents: agentNames(config), sessions: sessionNames, places: placeNames };
  const found = await candidates(program, words, sources);
  stdout.print([found.files ? 'files' : 'words', ...found.words.map(cleanLine), ''].join('\n'));
  return exitCodes.ok;
}

async function placeNames(): Promise<readonly string[]> {
  const places = await ownPlaces()
    .from(process.cwd())
    .catch(() => []);
  return places.map(({ name }) => name);
}

async function sessionNames(): Promise<readonly string[]> {
  await using sessions = new NamedSessions();
  const records = await sessions.list().catch(() => []);
  return records.flatMap(({ name, closedAt }) => (name !== undefined && closedAt === undefined ? [name] : []));
}
