import { isAbsolute } from 'node:path';
import {
  invalidParams,
  type LoadSessionRequest,
  type NewSessionRequest,
  type NewSessionResponse,
  type ResumeSessionRequest,
  type ResumeSessionResponse,
} from '@turnwire/protocol';
import { beginning, type Cursor, type Session, type SessionSetUp } from '@turnwire/runtime';
import { forkMeta, metaForAgent } from './agent-meta.ts';
import { onlyOwner } from './connection-refusals.ts';
import { openingMeta } from './opening-meta.ts';
import type { WantedSession } from './client-sessions.ts';
import { sessionIdIn } from './own-parameters.ts';
import type { ClientState } from './client-state.ts';
import { turnwireMeta } from './turnwire-meta.ts';

/** Answers `session/new`. */
export async function newSession(client: ClientState, request: NewSessionRequest): Promise<NewSessionResponse> {
  client.refuseObserver();
  const { cwd, additionalDirectories = [], mcpServers, _meta } = request;
  const meta = metaForAgent(_meta, client.principal);
  const { agentSessionId } = turnwireMeta(_meta);
  if (!isAbsolute(cwd)) throw invalidParams('cwd: an absolute path is needed');
  if (agentSessionId !== undefined && !client.principal.isOwner) throw onlyOwner('_meta.turnwire.agentSessionId');
  const wanted = {
    ...{ cwd, additionalDirectories, mcpServers, meta },
    ...(typeof agentSessionId === 'string' && { agentSessionId }),
    startsLater: client.startsLater,
  };
  const host = await create(client, wanted);
  // A session that the agent already has brings its history, which is not sent to the client that adopts it.
  const after = agentSessionId === undefined ? beginning : host.head;
  const { subscriber, answer } = await client.subscribe(host, { after, begins: true, role: 'control' });
  if (subscriber.readsEvents) sendMissed(client, host, agentSessionId === undefined);
  return { sessionId: host.id, ...answer };
}

async function create({ sessions, owner }: ClientState, wanted: WantedSession): Promise<Session> {
  return sessions.create(await sessions.admitted(wanted, owner), owner);
}

/** Answers `session/fork`: the agent forks an open session, and the new session starts with a replay of the fork. */
export async function forkSession(client: ClientState, params: unknown): Promise<object> {
  const { cwd, additionalDirectories, mcpServers = [], _meta } = (params ?? {}) as Partial<ResumeSessionRequest>;
  const { host } = client.controlled(sessionIdIn('session/fork', params));
  if (cwd !== undefined && !isAbsolute(cwd)) throw invalidParams('cwd: an absolute path is needed');
  const { record } = host;
  const { agentSessionId, restored } = await host.fork(forkMeta(_meta, client.principal));
  const wanted = {
    cwd: cwd ?? record.cwd,
    additionalDirectories: additionalDirectories ?? record.additionalDirectories,
    mcpServers,
    agentSessionId,
  };
  const fork = await create(client, wanted);
  const { answer } = await client.subscribe(fork, { after: fork.head, role: 'control' });
  const shown = answer as { readonly _meta: { readonly turnwire: object } };
  const ours = { ...shown._meta.turnwire, ...(restored !== undefined && { restored }) };
  return { sessionId: fork.id, ...answer, _meta: { turnwire: ours } };
}

/**
 * Answers `session/load` and `session/resume`, whether the session is open or only stored.
 * @param first where the replay starts for a client that sends no cursor: `load` sends the whole log and `resume` nothing
 */
export async function reopenSession(
  client: ClientState,
  { sessionId, additionalDirectories = [], mcpServers = [], _meta }: LoadSessionRequest | ResumeSessionRequest,
  first: Cursor | undefined,
): Promise<ResumeSessionResponse> {
  client.opened.refuseChild(sessionId);
  const opening = openingMeta(_meta, client.principal.scope);
  const host = await client.sessions.find(sessionId, client.owner);
  const { role, idle, wakes, failsIfLost } = opening;
  if (role === 'control' && !client.readsEvents) await setUp(client, host, { additionalDirectories, mcpServers });
  if (idle !== undefined) host.keepFor(idle);
  // Keeps the mode, because the prompts of the client may bring rules that make the agent's questions unnecessary.
  if (wakes) await host.wake({ failsIfLost, keepsMode: true });
  const after = opening.after ?? first;
  const { subscriber, subscription, answer } = await client.subscribe(host, { after: after ?? host.head, role });
  await subscription.replayed;
  if (subscriber.readsEvents) sendMissed(client, host, after !== undefined);
  return answer;
}

/**
 * Gives a session the folders and MCP servers of the client that opens it: they are complete lists. Clients that read events show a session as
 * it is.
 */
async function setUp(client: ClientState, host: Session, lists: SessionSetUp): Promise<void> {
  const { sessions, owner, opened } = client;
  const wanted = await sessions.admitted({ cwd: host.record.cwd, ...lists }, owner);
  opened.detach(host.id);
  await host.setUp(wanted);
}

/** Sends the events that happened without clients, unless the replay has sent them (`isSent`). */
function sendMissed({ peer }: ClientState, host: Session, isSent: boolean): void {
  const events = host.events.missed.take();
  if (isSent) return;
  for (const event of events) void peer.notify('_turnwire/event', { sessionId: host.id, event }).catch(() => undefined);
}
