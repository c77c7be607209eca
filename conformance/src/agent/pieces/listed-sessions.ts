import type { RequirementId } from '../../requirements/requirement.ts';
import type { Shown } from '../../verdict/observer.ts';
import { at, type JournalEntry, objectsIn, type RawMessage } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { AgentStage } from '../agent-stage.ts';
import { type ReadyAgent, Session } from '../session.ts';

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

/** Asks for all sessions of a folder, or for those that a filter lets through. */
export async function listSessions({ wire, stage }: ReadyAgent, filter: RawMessage = {}): Promise<Listed> {
  const pages: (readonly RawMessage[])[] = [];
  const entries: JournalEntry[] = [];
  let cursor: unknown;
  do {
    const params = { cwd: stage.folder, ...filter, ...(cursor !== undefined && { cursor }) };
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

/** Judges whether a session that is kept takes no prompt, neither before something was asked of it nor afterwards: it was not opened by that. */
export async function seeUnopened(
  { see }: AgentStage,
  session: Session,
  [requirement, what, ask]: readonly [RequirementId, string, (again: Session) => Promise<Shown>],
): Promise<void> {
  const again = new Session(await session.agent.restart(), session.id, session.reply);
  const prompt = again.agent.stage.steer('say', { text: 'medlar' });
  const before = await again.begin(prompt).end();
  if (before.error === undefined) throw new Stopped('the agent accepts prompts for sessions that were not restored');
  const asked = await ask(again);
  const after = await again.begin(prompt).end();
  const fault = `a prompt for a session that was refused is taken once ${what}`;
  see.check(requirement, after.error === undefined && fault, before, asked, after);
}
