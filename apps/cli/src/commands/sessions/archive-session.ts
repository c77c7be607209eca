import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { replaceFile } from '@turnwire/machine';
import { type AgentCommand, agentCommand } from '../../driving/agent-command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { joined, type Pieces, printPieces } from '../../output/print-pieces.ts';
import { type ArchivedSession, archiveText, readArchive } from '../../store/archive.ts';
import { historySchema } from '../../store/history.ts';
import { agentKey, agentTitle, type SessionRecord } from '../../store/session-record.ts';
import { SessionStore } from '../../store/session-store.ts';
import { cleanJson } from '../../terminal/clean-text.ts';
import { report } from '../report.ts';
import { complainOf, existingSession, newRecord, scopeOf } from '../session-place.ts';
import { settingsOf } from '../../driving/session-setup.ts';
import { DamagedLines, tooLong } from './damaged-lines.ts';

/** Writes a session with its history to a file, or to stdout. Resolves with the exit code. */
export async function exportSession(
  name: string | undefined,
  output: string | undefined,
  options: GlobalOptions,
): Promise<number> {
  const { store, record } = await existingSession(options, name);
  const path = store.historyOf(record.id);
  const damaged = new DamagedLines(path);
  const text = archiveText(record, path, damaged.add);
  if (output === undefined || output === '-') {
    const code = await printPieces(cleaned(text), options.timeout);
    damaged.complain();
    return code;
  }
  await replaceFile(resolve(output), joined(text));
  damaged.complain();
  report(
    options,
    { action: 'session_exported', recordId: record.id, output: resolve(output) },
    (facts) => facts.output,
  );
  return exitCodes.ok;
}

async function* cleaned(pieces: Pieces): AsyncGenerator<readonly string[], void> {
  for await (const batch of pieces) yield batch.map(cleanJson);
}

/** Where an archive is unpacked to. */
export interface ImportGiven {
  readonly path: string;
  readonly name?: string | undefined;
}

/**
 * Imports a session from a file: its history, and the agent's id of it. Settings come from the options, because the author of the
 * file must not decide what runs here. The next prompt makes the agent restore the session or fails. Resolves with the exit
 * code.
 */
export async function importSession({ path, name }: ImportGiven, options: GlobalOptions): Promise<number> {
  const agent = await agentCommand(options);
  await using file = await open(path).catch((error: unknown) => refuse(path, error));
  // The whole archive is checked before anything is written.
  const archived = await look(file).catch((error: unknown) => refuse(path, error));
  const scope = scopeOf(options, agent, name ?? archived.kept.name);
  const imported: SessionRecord = {
    ...newRecord(scope, settingsOf(options)),
    ...archived.kept,
    ...(scope.name !== undefined && { name: scope.name }),
    isImported: true,
  };
  await keep(imported, file).catch((error: unknown) => refuse(path, error));
  sayWhatIsLeftOut(archived, agent);
  const { id: recordId, sessionId } = imported;
  const { leftOut } = archived;
  report(options, { action: 'session_imported', recordId, sessionId, leftOut }, () => recordId);
  return exitCodes.ok;
}

async function look(file: FileHandle): Promise<ArchivedSession> {
  const events = readArchive(file, (number, bytes) => complain(`entry ${number} of the history ${tooLong(bytes)}`));
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
  }
}

/** The history first: a session exists once its record does. */
async function keep(record: SessionRecord, file: FileHandle): Promise<void> {
  const store = new SessionStore();
  try {
    await mkdir(store.folderOf(record.id), { recursive: true, mode: 0o700 });
    await replaceFile(store.historyOf(record.id), joined(historyText(file)));
    await store.exclusively(async () => {
      const there = await store.find(record, complainOf);
      if (there?.cwd === record.cwd)
        throw new CommandError(
          `this session exists already: ${there.id}. Close it first, or give another --name`,
          exitCodes.error,
        );
      await store.write(record);
    });
  } catch (error) {
    await store.remove(record.id);
    throw error;
  }
}

async function* historyText(file: FileHandle): AsyncGenerator<readonly string[], void> {
  yield [`${JSON.stringify({ schema: historySchema })}\n`];
  for await (const lines of readArchive(file)) yield lines.flatMap((line) => [line, '\n']);
}

function sayWhatIsLeftOut({ leftOut, agent: from }: ArchivedSession, { choice }: AgentCommand): void {
  if (leftOut.length > 0)
    complain(
      `settings of the archive are left out, since somebody else may have written it: ${leftOut.join(', ')}; give the ones you want as options`,
    );
  if (agentKey(from) !== agentKey(choice))
    complain(`the session was with ${agentTitle(from)}, and is stored as one with ${agentTitle(choice)}`);
}

function refuse(path: string, error: unknown): never {
  if (error instanceof CommandError) throw error;
  throw new CommandError(`the archive ${path} cannot be used: ${(error as Error).message}`, exitCodes.error);
}
