import type { JournalEntry, RawMessage } from '../../wire/journal.ts';
import type { Reply } from '../../wire/messages.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentStage, Initialized } from '../agent-stage.ts';
import { isOffered } from './offered.ts';

/** How a session was restored. */
export interface BroughtBack {
  readonly reply: Reply;
  /** The request, and whatever came until its answer. */
  readonly before: readonly JournalEntry[];
}

/** Ends one instance of the agent and begins another: what is known now was kept somewhere. */
export async function restart(stage: AgentStage, wire: Wire): Promise<Wire> {
  await wire.close();
  return (await stage.ready()).wire;
}

/** Ends a session on a connection, so that it can be restored again: by closing the connection, if there is no other way. */
export async function letGo(
  stage: AgentStage,
  {
    wire,
    sessionId,
    initialized,
  }: { readonly wire: Wire; readonly sessionId: string; readonly initialized: Initialized },
): Promise<Wire> {
  if (!isOffered(initialized, 'sessionCapabilities.close')) return restart(stage, wire);
  await wire.ask('session/close', { sessionId });
  return wire;
}

/** Asks for a session of another connection, by `session/load` or `session/resume`. */
export async function bringBack(
  stage: AgentStage,
  { wire, method, sessionId, changes = {} }: BringingBack,
): Promise<BroughtBack> {
  const from = wire.journal.length;
  const params = { sessionId, cwd: stage.folder, mcpServers: [], ...changes };
  const reply = await wire.ask(method, params, { within: stage.startPatience });
  const end = wire.journal.indexOf(reply.entry);
  return { reply, before: wire.journal.slice(from, end) };
}

/** Which session, where and how. */
export interface BringingBack {
  readonly wire: Wire;
  readonly method: 'session/load' | 'session/resume';
  readonly sessionId: string;
  readonly changes?: RawMessage;
}
