import type { SessionFacts, SessionRecord as StoredSession } from '@turnwire/runtime';
import { metaOf } from './session-meta.ts';
import {
  type AgentChoice,
  agentTitle,
  recordSchema,
  type SessionRecord,
  type SessionSettings,
} from './session-record.ts';

/** The tenant whose sessions those of the servers of this user are. */
export const localTenant = 'local';

/** The tenant whose sessions those of the commands are: a server has others, since every session has one owner. */
export const namedTenant = 'named';

/** What is stored of a session of the commands besides what its gateway stores. */
interface NamedFacts {
  readonly agent: AgentChoice;
  readonly name?: string;
  readonly settings: SessionSettings;
}

type Facts = SessionFacts & { readonly named?: NamedFacts };

/** The session as the store has it. `begun`: what is known of it with its agent, if it is not a new one. */
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

/** What the store has, as the commands show it; undefined for a session that is none of theirs. */
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

/** What is known of it with its agent. */
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
