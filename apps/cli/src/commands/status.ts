import { agentCommand } from '../driving/agent-command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { GlobalOptions } from '../options.ts';
import type { HostConnection } from '../session-host/host-connection.ts';
import { agentTitle, type SessionRecord } from '../store/session-record.ts';
import { NamedSessions } from '../store/named-sessions.ts';
import { report } from './report.ts';
import { connectIfThere, findSession, locate, scopeOf } from './located-session.ts';

/** The state of a session at this moment. */
interface Status {
  readonly action: 'status_snapshot';
  /** `idle`: the agent is not running, and the next prompt starts it. */
  readonly status: 'working' | 'ready' | 'starting' | 'dead' | 'login-needed' | 'idle' | 'no-session' | (string & {});
  readonly agent: string;
  readonly recordId?: string;
  readonly sessionId?: string;
  readonly pid?: number;
  readonly queued?: number;
  readonly modeId?: string;
  readonly model?: string;
  readonly upSince?: string;
  readonly lastPromptAt?: string;
}

/** Prints the state of a session. Resolves with the exit code, which is 0 even if there is no session. */
export async function status(session: string | undefined, options: GlobalOptions): Promise<number> {
  const found = await currentStatus(session, options);
  report(options, found, (facts) => (options.format === 'quiet' ? facts.status : lines(facts)));
  return exitCodes.ok;
}

async function currentStatus(session: string | undefined, options: GlobalOptions): Promise<Status> {
  const command = await agentCommand(options);
  const agent = agentTitle(command.choice);
  await using sessions = new NamedSessions();
  const record = await findSession(sessions, scopeOf(options, command, session));
  if (!record) return { action: 'status_snapshot', status: 'no-session', agent };
  await using host = await connectIfThere(locate(sessions, record, command), options);
  const live = host && (await liveStatus(host));
  // The session host stores what the agent reports.
  return statusOf((await sessions.findById(record.id)) ?? record, live);
}

/** The state that a session host reports. */
interface LiveStatus {
  readonly pid: number;
  readonly startedAt: string;
  readonly state: string;
  readonly queued: number;
}

async function liveStatus({ holder, remote }: HostConnection): Promise<LiveStatus> {
  const { state, waiting } = await remote.ask('_turnwire/status', {});
  const { pid, details } = holder;
  return {
    pid,
    startedAt: details.startedAt,
    state: state.name === 'parked' ? 'idle' : state.name,
    queued: waiting.length,
  };
}

function statusOf(record: SessionRecord, live: LiveStatus | undefined): Status {
  const { id, agent, sessionId, lastPromptAt } = record;
  return {
    action: 'status_snapshot',
    status: live?.state ?? 'idle',
    agent: agentTitle(agent),
    recordId: id,
    ...(sessionId !== undefined && { sessionId }),
    ...(live && { pid: live.pid, queued: live.queued, upSince: live.startedAt }),
    ...modeAndModel(record),
    ...(lastPromptAt !== undefined && { lastPromptAt }),
  };
}

/** The last mode and model that the agent reported; if it has not started yet, the configured ones. */
function modeAndModel({ inUse, modeId: setMode, settings }: SessionRecord): Pick<Status, 'modeId' | 'model'> {
  const modeId = inUse?.modeId ?? setMode;
  const model = inUse?.model ?? settings.model;
  return { ...(modeId !== undefined && { modeId }), ...(model !== undefined && { model }) };
}

function lines(facts: Status): string {
  const { recordId, agent, pid, status: state, queued, modeId, model, upSince, lastPromptAt } = facts;
  const rows = {
    session: recordId,
    agent,
    pid,
    status: state,
    queued,
    model,
    mode: modeId,
    upSince,
    lastPrompt: lastPromptAt,
  };
  return Object.entries(rows)
    .map(([key, value]) => `${key}: ${value ?? '-'}`)
    .join('\n');
}
