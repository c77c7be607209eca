import { agentCommand } from '../../driving/agent-command.ts';
import { settingsOf } from '../../driving/session-setup.ts';
import { gatewayError } from '@turnwire/gateway';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { inPlace, refuseOtherPlace } from '../../session-places/in-place.ts';
import { originFolder } from '../../own-places/place-folders.ts';
import { chooseModel } from '../../sessions/session-port.ts';
import { NamedSessions } from '../../store/named-sessions.ts';
import type { SessionRecord, SessionSettings } from '../../store/session-record.ts';
import { report } from '../report.ts';
import { connectTo, findSession, newRecord, locate, scopeOf, type LocatedSession } from '../located-session.ts';
import { closeSession, endHost } from './close-session.ts';

/** The session to create. */
export interface NewSession {
  readonly name?: string | undefined;
  /** The agent's id of an existing session to continue. */
  readonly resumeSession?: string | undefined;
  /** The settings. Default: those of the options. */
  readonly settings?: SessionSettings | undefined;
}

/** Creates a session and closes an existing one with the same name. Resolves with the exit code. */
export async function newSession(args: NewSession, asked: GlobalOptions): Promise<number> {
  const agent = await agentCommand(asked, { getsMissing: true });
  const options = await inPlace(asked);
  await using _use = options.placeUse;
  await using sessions = new NamedSessions();
  const scope = scopeOf(options, agent, args.name);
  const { before, record } = await sessions.exclusively(async () => {
    const found = await findSession(sessions, scopeOf(asked, agent, args.name));
    // A session of a parent folder does not conflict; one in a place of the project would be found by the same name.
    const isSame = found?.cwd === asked.cwd || (found && originFolder(found.cwd) !== found.cwd);
    const replaced = isSame ? found : undefined;
    const made = newRecord(scope, args.settings ?? settingsOf(options));
    // Both exist for a moment; lookups find the newer one first.
    await sessions.create(made, begunAs(args));
    return { before: replaced, record: made };
  });
  if (before) await closeSession({ sessions, record: before });
  const begun = await begin(locate(sessions, record, agent), options);
  report(options, { action: 'session_created', ...ids(begun) }, () => begun.id);
  return exitCodes.ok;
}

/** Creates a session unless it exists. Resolves with the exit code. */
export async function ensureSession(args: NewSession, options: GlobalOptions): Promise<number> {
  const { record, created } = await ensuredSession(args, options);
  report(options, { action: 'session_ensured', created, ...ids(record) }, () => record.id);
  return exitCodes.ok;
}

/** Creates a session unless it exists, and says whether it did. */
export async function ensuredSession(
  args: NewSession,
  asked: GlobalOptions,
): Promise<{ readonly record: SessionRecord; readonly created: boolean }> {
  const agent = await agentCommand(asked, { getsMissing: true });
  await using sessions = new NamedSessions();
  const existing = await findSession(sessions, scopeOf(asked, agent, args.name));
  if (existing) await refuseOtherPlace(existing.cwd, asked);
  const options = existing ? asked : await inPlace(asked);
  await using _use = options.placeUse;
  const scope = scopeOf(options, agent, args.name);
  const { record, created } = await sessions.exclusively(async () => {
    const found = existing ?? (await sessions.find(scope));
    const made = found ?? newRecord(scope, settingsOf(options));
    if (!found) await sessions.create(made, begunAs(args));
    return { record: made, created: !found };
  });
  const isBegun = record.sessionId !== undefined && !created;
  return { record: isBegun ? record : await begin(locate(sessions, record, agent), options), created };
}

/** The stored facts of a session that continues one of the agent, which is then loaded. */
function begunAs({ resumeSession }: NewSession): { readonly agentSessionId?: string } {
  return resumeSession === undefined ? {} : { agentSessionId: resumeSession };
}

function ids({ id, sessionId }: SessionRecord): object {
  return { recordId: id, ...(sessionId !== undefined && { sessionId }) };
}

/** Starts the session host and waits for the agent's session. If the agent cannot create it, the record is deleted. */
async function begin(located: LocatedSession, options: GlobalOptions): Promise<SessionRecord> {
  const { sessions, record } = located;
  try {
    await using host = await connectTo(located, options, { wakes: true });
    await chooseModel(host, options.model);
    return await sessions.read(record.id);
  } catch (error) {
    await endHost(located).catch(() => undefined);
    await sessions.remove(record.id);
    throw gatewayError(error);
  }
}
