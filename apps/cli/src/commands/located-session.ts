import { spendingOf } from '../sessions/metering.ts';
import { randomUUID } from 'node:crypto';
import { foldersUpwards } from '@turnwire/machine';
import { agentCommand, type AgentCommand } from '../driving/agent-command.ts';
import { answersOf } from '../driving/scripted-answers.ts';
import { mcpServersOf } from '../driving/session-setup.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { warnOf, type PromptSettings, sessionClient } from '../sessions/session-client.ts';
import type { GlobalOptions } from '../options.ts';
import { ownPlaces } from '../own-places/own-places.ts';
import type { TurnScreen } from '../output/turn-screen.ts';
import {
  connectIfHosted,
  connectToHost,
  type HostConnection,
  type HostConnecting,
} from '../session-host/host-connection.ts';
import type { HostStart } from '../session-host/host-start.ts';
import type { OwnTurn } from '../session-host/own-turn.ts';
import { recordSchema, type SessionRecord, type SessionSettings } from '../store/session-record.ts';
import { NamedSessions, type SessionScope } from '../store/named-sessions.ts';

/** How long an idle session host runs by default, in seconds. */
const defaultTtl = 300;

/** A session with its store and the command of its agent. */
export interface LocatedSession extends AsyncDisposable {
  readonly sessions: NamedSessions;
  readonly record: SessionRecord;
  readonly agent: AgentCommand;
}

/** Finds the session of the options and the name. Rejects with CommandError, exit code 4, if it does not exist. */
export async function existingSession(options: GlobalOptions, name: string | undefined): Promise<LocatedSession> {
  const agent = await agentCommand(options);
  const sessions = new NamedSessions();
  const record = await findSession(sessions, scopeOf(options, agent, name));
  if (record) return locate(sessions, record, agent);
  await sessions[Symbol.asyncDispose]();
  throw noSession(options, name);
}

export function locate(sessions: NamedSessions, record: SessionRecord, agent: AgentCommand): LocatedSession {
  return { sessions, agent, record, [Symbol.asyncDispose]: () => sessions[Symbol.asyncDispose]() };
}

/** Finds the session of a scope, or else the newest one with its name in a place that was made from the folder's project. */
export async function findSession(sessions: NamedSessions, scope: SessionScope): Promise<SessionRecord | undefined> {
  const here = await sessions.find(scope);
  if (here || scope.name === undefined) return here;
  for (const { cwd } of (await ownPlaces().from(scope.cwd)).toReversed()) {
    const found = await sessions.find({ ...scope, cwd });
    if (found) return found;
  }
  return undefined;
}

/** The key of the session that the options select. */
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

/** The parameters of a connection in addition to the options of the command. */
export interface Connecting {
  /** The settings to send with prompts. Default: the options. */
  readonly settings?: PromptSettings;
  /** Asks the user, if there is one. */
  readonly screen?: Pick<TurnScreen, 'ask' | 'elicit'>;
  /** Shows the turn of the command. Default: messages of the session are printed to stderr. */
  readonly own?: OwnTurn;
  /** Whether to start the agent when the session opens. */
  readonly wakes?: boolean;
  readonly signal?: AbortSignal;
}

/** Connects to the session host, and starts one if there is none. */
export async function connectTo(
  located: LocatedSession,
  options: GlobalOptions,
  connecting: Connecting = {},
): Promise<HostConnection> {
  return connectToHost(located, {
    ...(await hostConnecting(options, connecting)),
    start: () => hostStart(located, options),
  });
}

/** Connects to the host of a session if there is one. */
export async function connectIfThere(
  located: LocatedSession,
  options: GlobalOptions,
): Promise<HostConnection | undefined> {
  return connectIfHosted(located, await hostConnecting(options, {}));
}

async function hostConnecting(
  options: GlobalOptions,
  { settings = options, screen = {}, own, wakes, signal = new AbortController().signal }: Connecting,
): Promise<HostConnecting> {
  const { ttl, ifLost, format } = options;
  const answers = await answersOf(options.answers);
  return {
    attach: (transport, session) =>
      sessionClient(transport, {
        screen,
        options: settings,
        answers,
        onEvent: (event) => void session.receive([{ event }]),
        ...(own && format === 'json' && { tap: (_, frame) => own.frame(frame) }),
        signal,
      }),
    onEvents: own?.events ?? ((events) => events.forEach(warnOf)),
    opening: {
      ...(ttl !== undefined && { idle: ttl * 1000 }),
      ...(wakes && { wake: true }),
      ...(ifLost === 'fail' && { ifLost }),
    },
  };
}

async function hostStart({ record, agent }: LocatedSession, options: GlobalOptions): Promise<HostStart> {
  const { settings, cwd } = record;
  const { ttl = defaultTtl, trace, config, authPolicy } = options;
  return {
    recordId: record.id,
    // The values of the session's variables are not stored, so they come from our own environment.
    command: {
      ...agent,
      inheritEnv: [...agent.inheritEnv, ...(settings.env ?? [])],
      protocol: options.protocol ?? settings.protocol ?? agent.protocol,
    },
    settings: {
      files: !settings.withoutFiles,
      terminals: !settings.withoutTerminals,
      auth: settings.auth,
      authPolicy,
    },
    mcpServers: await mcpServersOf(settings.mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd),
    spending: spendingOf(config),
    ...(trace !== undefined && { trace }),
    review: config.review ?? true,
    idle: ttl * 1000,
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
