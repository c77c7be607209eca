import { at, type JournalEntry, objectsIn, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { ReadyAgent } from '../session.ts';

/** Pages that are asked for at most. */
const mostPages = 40;

/** The result of `session/list`, page by page. */
export interface Listed {
  readonly pages: readonly (readonly RawMessage[])[];
  readonly sessions: readonly RawMessage[];
  readonly ids: readonly unknown[];
  readonly entries: readonly JournalEntry[];
  /** There were more pages than any client would fetch. */
  readonly isEndless: boolean;
}

/** Asks for all sessions of a folder. */
export async function listSessions({ wire, stage }: ReadyAgent): Promise<Listed> {
  const pages: (readonly RawMessage[])[] = [];
  const entries: JournalEntry[] = [];
  let cursor: unknown;
  do {
    const params = { cwd: stage.folder, ...(cursor !== undefined && { cursor }) };
    const { entry, result, error } = await wire.ask('session/list', params);
    if (error !== undefined) throw new Stopped(`session/list was refused: ${String(error.message)}`);
    entries.push(entry);
    pages.push(objectsIn(at(result, 'sessions')));
    cursor = at(result, 'nextCursor') ?? undefined;
  } while (cursor !== undefined && pages.length < mostPages);
  const sessions = pages.flat();
  const ids = sessions.map((session) => session['sessionId']);
  return { pages, sessions, ids, entries, isEndless: cursor !== undefined };
}

export function expectListed({ sessions }: Listed, sessionId: string): RawMessage {
  const found = sessions.find((session) => session['sessionId'] === sessionId);
  if (found === undefined) throw new Stopped('the agent does not list the session');
  return found;
}
