import type { Agent, NewSessionOptions, Session } from '@turnwire/client';
import { errorText } from '@turnwire/client/error-text';
import type { BoundaryReason } from '@turnwire/client/transcript';
import { TurnwireError, errorCodes, ProtocolError } from '@turnwire/protocol';

/** An open session, and the boundary to show before it. */
export interface OpenedSession {
  readonly session: Session;
  readonly by: 'new' | 'load' | 'resume';
  readonly boundary?: { readonly reason: BoundaryReason; readonly message: string };
}

/** The session to open. */
export interface WantedSession {
  /** Absent: a new one. */
  readonly sessionId: string | undefined;
  /** This side knows the history of the session, so it does not need the agent's replay. */
  readonly isKnown: boolean;
  /** The reason for opening it again, as a sentence. Default: the agent was restarted. */
  readonly because?: string | undefined;
  /** Whether a new session may begin, behind a boundary, after this error of the wanted one. */
  readonly mayCreate: (error: unknown) => boolean;
  /** Options for every way of setting up. */
  readonly options: NewSessionOptions;
  /** Resolves when the session may be loaded. */
  readonly beforeLoad: () => Promise<void>;
}

/** Creates, loads or resumes a session. Rejects when the wanted one cannot be restored and a new one is not allowed. */
export async function restoreSession(agent: Agent, wanted: WantedSession): Promise<OpenedSession> {
  const { sessionId, options } = wanted;
  if (sessionId === undefined) return { session: await agent.newSession(options), by: 'new' };
  try {
    return await stored(agent, sessionId, wanted);
  } catch (error) {
    if (isBeyondSession(error) || !wanted.mayCreate(error)) throw error;
    return { session: await agent.newSession(options), by: 'new', boundary: lost(error) };
  }
}

async function stored(agent: Agent, sessionId: string, wanted: WantedSession): Promise<OpenedSession> {
  const { isKnown, options, because = 'The agent was restarted.' } = wanted;
  const load = agent.loadSession && (() => loaded(agent, sessionId, wanted));
  const resume = agent.resumeSession && (() => resumed(agent, sessionId, options));
  const [first, second] = isKnown ? [resume, load] : [load, resume];
  const back = await firstThatWorks(first, second);
  if (!isKnown) return back;
  return {
    ...back,
    boundary: { reason: 'restarted', message: `${because} It knows the earlier conversation.` },
  };
}

async function firstThatWorks(
  first: (() => Promise<OpenedSession>) | undefined,
  second: (() => Promise<OpenedSession>) | undefined,
): Promise<OpenedSession> {
  if (first && second) {
    return first().catch((error: unknown) => {
      if (isBeyondSession(error)) throw error;
      return second();
    });
  }
  const only = first ?? second;
  if (!only) throw new TurnwireError('not-advertised', 'The agent can neither load nor resume a session');
  return only();
}

async function loaded(agent: Agent, sessionId: string, { options, beforeLoad }: WantedSession): Promise<OpenedSession> {
  await beforeLoad();
  const session = await (agent.loadSession as NonNullable<Agent['loadSession']>)({ ...options, sessionId });
  return { session, by: 'load', boundary: { reason: 'loaded', message: 'The stored session was loaded.' } };
}

async function resumed(agent: Agent, sessionId: string, options: NewSessionOptions): Promise<OpenedSession> {
  const session = await (agent.resumeSession as NonNullable<Agent['resumeSession']>)({ ...options, sessionId });
  const message = 'The stored session was resumed. The agent knows the earlier conversation but does not repeat it.';
  return { session, by: 'resume', boundary: { reason: 'resumed', message } };
}

function lost(error: unknown): NonNullable<OpenedSession['boundary']> {
  return {
    reason: 'context-lost',
    message: `The session could not be restored: ${errorText(error).replace(/\.$/, '')}. The agent does not know the earlier conversation.`,
  };
}

/** An error that a new session would not fix: a login is needed, the agent has ended, or the start was cancelled. */
function isBeyondSession(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === errorCodes.authenticationRequired;
  return error instanceof TurnwireError && error.code !== 'not-advertised' && error.code !== 'timeout';
}
