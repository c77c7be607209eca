import type { SessionFacts, SessionRecord as StoredSession } from '@turnwire/runtime';
import { metaOf } from './session-meta.ts';
import {
  type AgentChoice,
  agentTitle,
  recordSchema,
  type SessionRecord,
  type SessionSettings,
} from './session-record.ts';

/** The tenant that owns the sessions of this user's servers. */
export const localTenant = 'local';

/** The tenant that owns the sessions of commands. It differs from that of the servers, because every session has one owner. */
export const namedTenant = 'named';

/** The facts that commands store about a session in addition to those of its gateway. */
interface NamedFacts {
  readonly agent: AgentChoice;
  readonly name?: string;
  readonly settings: SessionSettings;
}

type Facts = SessionFacts & { readonly named?: NamedFacts };

/** Converts a record to the stored form. @param begun the facts of an existing session of the agent */
export function storedOf(record: SessionRecord, begun: SessionFacts = {}): StoredSession {
  const { id, agent, name, cwd, settings, title, createdAt, lastPromptAt, lastUsedAt, closedAt } = record;
  const named: NamedFacts = { agent, settings, ...(name !== undefined && { name }) };
  const meta = metaOf(settings);
  const facts: Facts = {
    ...begun,
    ...(meta && { meta }),
    named,
    isKept: true,
    ...(record.isImported && { mustRestore: true }),
  };
  return {
    id,
    tenant: namedTenant,
    agent: agentTitle(agent),
    cwd,
    additionalDirectories: settings.additionalDirectories ?? [],
    title: title ?? null,
    createdAt: Date.parse(createdAt),
    updatedAt: Date.parse(lastPromptAt ?? lastUsedAt),
    closedAt: closedAt === undefined ? null : Date.parse(closedAt),
    facts: { ...facts },
  };
}

/** Converts a stored session to a record; undefined if the session does not belong to the commands. */
export function recordOf(stored: StoredSession): SessionRecord | undefined {
  const { id, cwd, title, createdAt, updatedAt, closedAt } = stored;
  const facts: Facts = stored.facts;
  if (!facts.named) return undefined;
  const { agent, name, settings } = facts.named;
  return {
    schema: recordSchema,
    id,
    agent,
    cwd,
    ...(name !== undefined && { name }),
    createdAt: iso(createdAt),
    lastUsedAt: iso(updatedAt),
    ...(facts.isPrompted && { lastPromptAt: iso(updatedAt) }),
    ...(closedAt !== null && { closedAt: iso(closedAt) }),
    settings,
    ...(title !== null && { title }),
    ...withAgent(facts),
  };
}

/** The part of the record that the agent determines. */
function withAgent(facts: Facts): Partial<SessionRecord> {
  const { agentSessionId, agentInfo, canRestore, contextLostAt, mustRestore, modeId, options } = facts;
  return {
    ...(agentSessionId !== undefined && { sessionId: agentSessionId }),
    ...(modeId !== undefined && { modeId }),
    ...(options && { configOptions: options }),
    ...inUse(facts),
    ...(agentInfo && { agentInfo: { name: agentInfo.title ?? agentInfo.name, version: agentInfo.version } }),
    ...(canRestore !== undefined && { canLoad: canRestore }),
    ...(contextLostAt !== undefined && { contextLostAt: iso(contextLostAt) }),
    ...(mustRestore && { isImported: true as const }),
  };
}

function inUse({ modes, configOptions }: Facts): Pick<SessionRecord, 'inUse'> {
  const modeId = modes?.currentModeId;
  const model = configOptions?.find(({ id, category }) => category === 'model' || id === 'model')?.currentValue;
  if (modeId === undefined && typeof model !== 'string') return {};
  return { inUse: { ...(modeId !== undefined && { modeId }), ...(typeof model === 'string' && { model }) } };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
