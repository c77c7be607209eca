import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { agentCommand } from '../../agent-command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { replaceFile } from '../../store/atomic-file.ts';
import { historySchema } from '../../store/history.ts';
import { problemOf, type SessionRecord } from '../../store/session-record.ts';
import { SessionStore } from '../../store/session-store.ts';
import { cleanJson } from '../../terminal/clean-text.ts';
import { report } from '../report.ts';
import { existingSession, scopeOf } from '../session-place.ts';

const archiveSchema = 'turnwire.archive.v1';

/** A session as it travels: the record, and the lines of the history as they are. */
interface Archive {
  readonly schema: typeof archiveSchema;
  readonly exportedAt: string;
  readonly record: SessionRecord;
  readonly history: readonly unknown[];
}

/** Writes a session with its history to a file, or to stdout. Resolves with the exit code. */
export async function exportSession(
  name: string | undefined,
  output: string | undefined,
  options: GlobalOptions,
): Promise<number> {
  const { store, record } = await existingSession(options, name);
  const lines = await readFile(store.historyOf(record.id), 'utf8').catch(() => '');
  const archive: Archive = {
    schema: archiveSchema,
    exportedAt: new Date().toISOString(),
    record,
    history: lines.split('\n').flatMap(parsedLine),
  };
  const text = `${JSON.stringify(archive)}\n`;
  if (output === undefined || output === '-') process.stdout.write(cleanJson(text));
  else {
    await replaceFile(resolve(output), text);
    await chmod(resolve(output), 0o600);
    report(
      options,
      { action: 'session_exported', recordId: record.id, output: resolve(output) },
      (facts) => facts.output,
    );
  }
  return exitCodes.ok;
}

/** Where an archive is unpacked to. */
export interface ImportGiven {
  readonly path: string;
  readonly name?: string | undefined;
}

/**
 * Takes a session over from a file: a new record with the old history, whose next prompt has the agent bring the session back or fails.
 * Resolves with the exit code.
 */
export async function importSession({ path, name }: ImportGiven, options: GlobalOptions): Promise<number> {
  const { record: from, history } = await readArchive(path);
  const agent = await agentCommand(options);
  const store = new SessionStore();
  const scope = scopeOf(options, agent, name ?? from.name);
  const record = await store.exclusively(async () => {
    const there = await store.find(scope);
    if (there?.cwd === scope.cwd)
      throw new CommandError(
        `there is such a session already: ${there.id}. Close it first, or give another --name`,
        exitCodes.error,
      );
    const { closedAt: _closed, ...open } = from;
    const made: SessionRecord = { ...open, ...scope, id: randomUUID(), isImported: true } as SessionRecord;
    await store.write(made);
    await mkdir(store.folderOf(made.id), { recursive: true, mode: 0o700 });
    const lines = [{ schema: historySchema }, ...history.filter((event) => !isHeader(event))];
    await writeFile(store.historyOf(made.id), lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
      mode: 0o600,
    });
    return made;
  });
  report(options, { action: 'session_imported', recordId: record.id, sessionId: record.sessionId }, () => record.id);
  return exitCodes.ok;
}

async function readArchive(path: string): Promise<Archive> {
  const archive = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text) as Partial<Archive>)
    .catch((error: unknown) => refuse(path, (error as Error).message));
  if (archive.schema !== archiveSchema) return refuse(path, `its schema is ${JSON.stringify(archive.schema)}`);
  const problem = problemOf(archive.record) ?? (Array.isArray(archive.history) ? undefined : 'it has no history');
  return problem === undefined ? (archive as Archive) : refuse(path, problem);
}

function refuse(path: string, reason: string): never {
  throw new CommandError(`the archive ${path} cannot be used: ${reason}`, exitCodes.error);
}

function parsedLine(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    // Torn by a crash, or the end.
    return [];
  }
}

function isHeader(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'schema' in event;
}
