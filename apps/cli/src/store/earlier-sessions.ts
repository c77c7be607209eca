import { lstat, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewEvent, SessionFacts } from '@turnwire/gateway';
import { isEntryName, lockHolder, readOwnFile, removeEntry, undefinedIfMissing } from '@turnwire/machine';
import { complain } from '../failure.ts';
import { type HistoryDamage, historyLines } from './earlier-history.ts';
import { NamedSessions } from './named-sessions.ts';
import { problemOf, type SessionRecord } from './session-record.ts';

/** The record of a session of an earlier version. When the session was carried over it has another name, and is not looked at again. */
const recordFile = 'session.json';

/**
 * The sessions of the commands, with those of earlier versions, which were files, carried over on their first use.
 * @param onProblem called with a sentence about each that cannot be carried over. Default: it is printed to stderr
 */
export async function openSessions(onProblem: (problem: string) => void = complain): Promise<NamedSessions> {
  const sessions = new NamedSessions();
  const ids = await earlierIds(sessions);
  if (ids.length > 0)
    await sessions.exclusively(async () => {
      // Another command may have been faster.
      for (const id of await earlierIds(sessions))
        await carryOver(sessions, id).catch((error: unknown) => onProblem(problemText(sessions, { id, error })));
    });
  return sessions;
}

/** The ids of what is left of earlier versions: their records cannot be read. */
export function damagedSessions(sessions: NamedSessions): Promise<readonly string[]> {
  return earlierIds(sessions);
}

/** Deletes a session of an earlier version that cannot be carried over. */
export async function removeDamaged({ sessionsFolder }: NamedSessions, id: string): Promise<void> {
  await removeEntry(sessionsFolder, id);
}

async function earlierIds({ sessionsFolder }: NamedSessions): Promise<readonly string[]> {
  const names = (await readdir(sessionsFolder).catch(undefinedIfMissing)) ?? [];
  const found = names.filter(isEntryName).map(async (id) => {
    const record = await lstat(join(sessionsFolder, id, recordFile)).catch(() => undefined);
    return record ? [id] : [];
  });
  return (await Promise.all(found)).flat();
}

async function carryOver(sessions: NamedSessions, id: string): Promise<void> {
  const path = join(sessions.folderOf(id), recordFile);
  const record = readRecord(path, id);
  const holder = await lockHolder(sessions.lockOf(id));
  if (holder)
    throw new Error(`process ${holder.pid} of an earlier version hosts it; end that first: kill ${holder.pid}`);
  // An attempt that was interrupted has left its part.
  await sessions.store.delete('named', id).catch(() => undefined);
  const historyPath = join(sessions.folderOf(id), 'history.jsonl');
  await sessions.copy(record, await factsOf(record, historyPath), eventsOf(historyPath));
  await rename(path, `${path}.carried-over`);
}

function readRecord(path: string, id: string): SessionRecord {
  const value = parsed(readOwnFile(path) ?? '');
  const problem = problemOf(value, id);
  if (problem !== undefined) throw new Error(problem);
  return value as SessionRecord;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON (${(error as Error).message})`, { cause: error });
  }
}

async function factsOf(record: SessionRecord, historyPath: string): Promise<SessionFacts> {
  const { sessionId, modeId, configOptions, canLoad, contextLostAt, lastPromptAt, agentInfo } = record;
  return {
    ...(sessionId !== undefined && {
      agentSessionId: sessionId,
      setUpAt: (await lastSetUp(historyPath)) ?? Date.parse(record.createdAt),
    }),
    ...(modeId !== undefined && { modeId }),
    ...(configOptions && { options: configOptions }),
    ...(agentInfo && { agentInfo }),
    ...(canLoad !== undefined && { canRestore: canLoad }),
    ...(contextLostAt !== undefined && { contextLostAt: Date.parse(contextLostAt) }),
    ...(lastPromptAt !== undefined && { isPrompted: true }),
  };
}

async function lastSetUp(path: string): Promise<number | undefined> {
  let at: number | undefined;
  for await (const batch of historyLines(path))
    for (const line of batch) if ('event' in line && line.event.type === 'setup') ({ at } = line.event);
  return at;
}

async function* eventsOf(path: string): AsyncGenerator<readonly NewEvent[], void> {
  const damaged = new Map<number, HistoryDamage>();
  for await (const batch of historyLines(path)) {
    const events: NewEvent[] = [];
    for (const line of batch) {
      if ('damage' in line) damaged.set(line.number, line.damage);
      else events.push({ at: line.event.at, type: line.event.type, payload: line.text });
    }
    yield events;
  }
  if (damaged.size === 0) return;
  const shown = [...damaged.keys()].slice(0, 20).join(', ');
  const more = damaged.size > 20 ? ` and ${damaged.size - 20} more` : '';
  complain(`${path}: lines ${shown}${more} cannot be read, or are too long, and are left out`);
}

function problemText(sessions: NamedSessions, { id, error }: { readonly id: string; readonly error: unknown }): string {
  const path = join(sessions.folderOf(id), recordFile);
  return (
    `the session ${id} of an earlier version cannot be used: ${path}: ${(error as Error).message}. ` +
    'Repair that file, or delete the session with its history: turnwire sessions prune --damaged'
  );
}
