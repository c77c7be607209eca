import { type FileHandle, open } from 'node:fs/promises';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { NewEvent } from '@turnwire/runtime';
import { type AgentCommand, agentCommand } from '../../driving/agent-command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { longestEvent } from '../../store/history-event.ts';
import { type ArchivedSession, readArchive } from '../../store/archive.ts';
import { agentKey, agentTitle, type SessionRecord } from '../../store/session-record.ts';
import { NamedSessions } from '../../store/named-sessions.ts';
import { report } from '../report.ts';
import { newRecord, scopeOf } from '../located-session.ts';
import { settingsOf } from '../../driving/session-setup.ts';

/** The arguments of `sessions import`. */
export interface ImportArguments {
  readonly path: string;
  readonly name?: string | undefined;
}

/**
 * Imports a session from a file: its history and the agent's id of the session. Settings come from the options, because the author of the
 * file must not decide what runs here. The next prompt fails unless the agent can restore the session. Resolves with the exit code.
 */
export async function importSession({ path, name }: ImportArguments, options: GlobalOptions): Promise<number> {
  const agent = await agentCommand(options);
  await using file = await open(path).catch((error: unknown) => refuse(path, error));
  // The whole archive is checked before anything is written.
  const archived = await readFacts(file).catch((error: unknown) => refuse(path, error));
  const scope = scopeOf(options, agent, name ?? archived.kept.name);
  const imported: SessionRecord = {
    ...newRecord(scope, settingsOf(options)),
    ...archived.kept,
    ...(scope.name !== undefined && { name: scope.name }),
    isImported: true,
  };
  await keep(imported, file).catch((error: unknown) => refuse(path, error));
  warnAboutOmissions(archived, agent);
  const { id: recordId, sessionId } = imported;
  const { leftOut } = archived;
  report(options, { action: 'session_imported', recordId, sessionId, leftOut }, () => recordId);
  return exitCodes.ok;
}

async function readFacts(file: FileHandle): Promise<ArchivedSession> {
  const events = readArchive(file, (number, bytes) =>
    warn(
      `entry ${number} of the history is left out: it is ${Math.ceil(bytes / 2 ** 20)} MiB long, and at most ${longestEvent / 2 ** 20} MiB are read`,
    ),
  );
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
  }
}

/** Stores the session with its whole history, or nothing. */
async function keep(record: SessionRecord, file: FileHandle): Promise<void> {
  await using sessions = new NamedSessions();
  await sessions.exclusively(async () => {
    const existing = await sessions.find(record);
    if (existing?.cwd === record.cwd)
      throw new CommandError(
        `this session already exists: ${existing.id}. Close it first, or give another --name`,
        exitCodes.error,
      );
    const { sessionId } = record;
    // The archive contains the replay of the agent.
    const begun = sessionId === undefined ? {} : { agentSessionId: sessionId, setUpAt: Date.now() };
    await sessions.copy(record, begun, archivedEvents(file));
  });
}

async function* archivedEvents(file: FileHandle): AsyncGenerator<readonly NewEvent[], void> {
  for await (const lines of readArchive(file))
    yield lines.map((payload) => {
      const { at, type } = JSON.parse(payload) as TranscriptEvent;
      return { at, type, payload };
    });
}

function warnAboutOmissions({ leftOut, agent: from }: ArchivedSession, { choice }: AgentCommand): void {
  if (leftOut.length > 0)
    warn(
      `settings of the archive were not imported, because someone else may have written it: ${leftOut.join(', ')}; set the ones you want as options`,
    );
  if (agentKey(from) !== agentKey(choice))
    warn(`the session was with ${agentTitle(from)}; it is imported as a session with ${agentTitle(choice)}`);
}

function refuse(path: string, error: unknown): never {
  if (error instanceof CommandError) throw error;
  throw new CommandError(`the archive ${path} cannot be used: ${(error as Error).message}`, exitCodes.error);
}
