import { randomUUID } from 'node:crypto';
import { foldersUpwards } from '@turnwire/machine';
import { agentCommand, type AgentCommand } from '../driving/agent-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, complain } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import {
  linkIfHosted,
  type LinkOptions,
  linkToHost,
  type HostedPlace,
  type HostLink,
} from '../session-host/host-link.ts';
import { answersOf } from '../driving/scripted-answers.ts';
import { mcpServersOf } from '../driving/session-setup.ts';
import type { HostStart } from '../session-host/host-protocol.ts';
import { recordSchema, type SessionRecord, type SessionSettings } from '../store/session-record.ts';
import { type DamagedRecord, type SessionScope, SessionStore } from '../store/session-store.ts';

/** Seconds an idle session host stays, by default. */
const defaultTtl = 300;

/** A session, and how its agent is started. */
export interface SessionPlace extends HostedPlace {
  readonly agent: AgentCommand;
}

/** The session of the options and the name. Rejects with CommandError, exit code 4, if there is none. */
export async function existingSession(options: GlobalOptions, name: string | undefined): Promise<SessionPlace> {
  const agent = await agentCommand(options);
  const store = new SessionStore();
  const record = await store.find(scopeOf(options, agent, name), complainOf);
  if (!record) throw noSession(options, name);
  return { store, agent, record };
}

/** Reports a record that cannot be read. It blocks its own session, and no other. */
export function complainOf({ message }: DamagedRecord): void {
  complain(message);
}

/** The key of the session the options mean. */
export function scopeOf({ cwd }: GlobalOptions, { choice }: AgentCommand, name: string | undefined): SessionScope {
  return { agent: choice, cwd, ...(name !== undefined && { name }) };
}

/** The record of a session that does not exist yet. */
export function newRecord(scope: SessionScope, settings: SessionSettings): SessionRecord {
  const now = new Date().toISOString();
  const { agent, cwd, name } = scope;
  return {
    schema: recordSchema,
    id: randomUUID(),
    agent,
    cwd,
    ...(name !== undefined && { name }),
    createdAt: now,
    lastUsedAt: now,
    settings,
  };
}

/** Connects to the session host, and starts one if there is none. */
export function link(place: SessionPlace, options: GlobalOptions, given: Given = {}): Promise<HostLink> {
  const { listener = {}, resumeSessionId } = given;
  return linkToHost(place, {
    ...linkOptions(options, listener),
    start: () => hostStart(place, options, resumeSessionId),
  });
}

/** The parts of a connection besides the options. */
interface Given {
  readonly listener?: LinkOptions['listener'];
  readonly resumeSessionId?: string | undefined;
}

/** Connects to the host of a session if there is one. */
export function linkIfThere(place: HostedPlace, options: GlobalOptions): Promise<HostLink | undefined> {
  return linkIfHosted(place, linkOptions(options, {}));
}

function linkOptions({ ttl }: GlobalOptions, listener: LinkOptions['listener']): LinkOptions {
  return { listener, ttl };
}

async function hostStart(
  { record, agent }: SessionPlace,
  { ttl, answers, trace, config, authPolicy, ifLost }: GlobalOptions,
  resumeSessionId: string | undefined,
): Promise<HostStart> {
  const { settings, cwd } = record;
  const scripted = await answersOf(answers);
  return {
    recordId: record.id,
    command: agent.words,
    agent: agent.choice,
    env: agent.env,
    // Values are not stored, so the variables the session was created with are looked up in our own environment.
    inheritEnv: [...agent.inheritEnv, ...(settings.env ?? [])],
    differences: agent.differences,
    authPolicy,
    failsIfLost: ifLost === 'fail',
    mcpServers: await mcpServersOf(settings.mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd),
    ...(scripted && { answers: scripted }),
    ...(trace !== undefined && { trace }),
    ttl: ttl ?? defaultTtl,
    ...(resumeSessionId !== undefined && { resumeSessionId }),
  };
}

function noSession(options: GlobalOptions, name: string | undefined): CommandError {
  const named = name === undefined ? '' : ` --name ${name}`;
  const folders = foldersUpwards(options.cwd);
  const searched =
    folders.length > 1 ? `${options.cwd} and the folders above it, up to ${folders.at(-1)}` : options.cwd;
  const agent = options.agent === undefined ? `${options.agentName} ` : `--agent ${JSON.stringify(options.agent)} `;
  return new CommandError(
    `there is no session${name === undefined ? '' : ` '${name}'`} with ${options.agent ?? options.agentName} in ${searched}. ` +
      `Create one: turnwire ${agent}sessions new${named}; or prompt without one: turnwire ${agent}exec …`,
    exitCodes.noSession,
  );
}
