import { agentCommand } from '../../driving/agent-command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import type { HostStatus } from '../../session-host/host-protocol.ts';
import type { SessionRecord } from '../../store/session-record.ts';
import { SessionStore } from '../../store/session-store.ts';
import { report } from '../report.ts';
import { complainOf, link, newRecord, scopeOf, type SessionPlace } from '../session-place.ts';
import { settingsOf } from '../../driving/session-setup.ts';
import { closeSession, endHost } from './close-session.ts';

/** Which session to create. */
export interface NewSession {
  readonly name?: string | undefined;
  /** An existing session of the agent to continue with. */
  readonly resumeSession?: string | undefined;
}

/** Creates a session; an existing one of this name is closed. Resolves with the exit code. */
export async function newSession(given: NewSession, options: GlobalOptions): Promise<number> {
  const agent = await agentCommand(options);
  const store = new SessionStore();
  const scope = scopeOf(options, agent, given.name);
  const { before, record } = await store.exclusively(async () => {
    const found = await store.find(scope, complainOf);
    // A session of a parent folder does not collide.
    const replaced = found?.cwd === scope.cwd ? found : undefined;
    const made = newRecord(scope, settingsOf(options));
    // For a moment both exist; the newer one is found first.
    await store.write(made);
    return { before: replaced, record: made };
  });
  if (before) await closeSession({ store, record: before });
  const { record: begun } = await begin({ store, agent, record }, given, options);
  report(options, { action: 'session_created', ...ids(begun) }, () => begun.id);
  return exitCodes.ok;
}

/** Finds a session, or creates it. Resolves with the exit code. */
export async function ensureSession(given: NewSession, options: GlobalOptions): Promise<number> {
  const agent = await agentCommand(options);
  const store = new SessionStore();
  const scope = scopeOf(options, agent, given.name);
  const { record, created } = await store.exclusively(async () => {
    const found = await store.find(scope, complainOf);
    const made = found ?? newRecord(scope, settingsOf(options));
    if (!found) await store.write(made);
    return { record: made, created: !found };
  });
  const { record: begun } =
    record.sessionId === undefined ? await begin({ store, agent, record }, given, options) : { record };
  report(options, { action: 'session_ensured', created, ...ids(begun) }, () =>
    created || options.format === 'quiet' ? begun.id : `${begun.id}\t(existing)`,
  );
  return exitCodes.ok;
}

function ids({ id, sessionId }: SessionRecord): object {
  return { recordId: id, ...(sessionId !== undefined && { sessionId }) };
}

/** Starts the session host and waits for the agent's session. A record whose session could not be created is deleted. */
async function begin(place: SessionPlace, { resumeSession }: NewSession, options: GlobalOptions): Promise<HostStatus> {
  try {
    const given = { listener: { onRemark: complain }, resumeSessionId: resumeSession };
    await using host = await link(place, options, given);
    return await host.ready();
  } catch (error) {
    const { store, record } = place;
    await endHost({ store, record }).catch(() => undefined);
    await store.remove(record.id);
    throw error;
  }
}
