import { TurnwireError, errorCodes, ProtocolError } from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';
import type { NewSessionOptions } from '../session/session-options.ts';
import { errorText } from '../agent/error-text.ts';
import type { Session } from '../session/session.ts';
import type { BoundaryReason } from '../transcript/transcript-event.ts';

/** A session that is there, and the line to draw before it. */
export interface BroughtBack {
  readonly session: Session;
  readonly by: 'new' | 'load' | 'resume';
  readonly boundary?: { readonly reason: BoundaryReason; readonly message: string };
}

/** Which session is wanted, and how. */
export interface WantedSession {
  /** Absent: a new one. */
  readonly sessionId: string | undefined;
  /** The view has the transcript already, so what the agent replays is not needed. */
  readonly isKnown: boolean;
  /** Make a new session, behind a boundary, if the wanted one cannot be brought back. */
  readonly mayBeginAnew: boolean;
  /** What every way of setting up is given. */
  readonly options: NewSessionOptions;
  /** Resolves when the session may be loaded. */
  readonly beforeLoad: () => Promise<void>;
}

/** Makes, loads or resumes a session. Rejects when the wanted one cannot be brought back and a new one will not do. */
export async function bringBack(agent: Agent, wanted: WantedSession): Promise<BroughtBack> {
  const { sessionId, options } = wanted;
  if (sessionId === undefined) return { session: await agent.newSession(options), by: 'new' };
  try {
    return await stored(agent, sessionId, wanted);
  } catch (error) {
    if (!wanted.mayBeginAnew || isAboutMore(error)) throw error;
    return { session: await agent.newSession(options), by: 'new', boundary: lost(error) };
  }
}

async function stored(agent: Agent, sessionId: string, wanted: WantedSession): Promise<BroughtBack> {
  const { isKnown, options } = wanted;
  const load = agent.loadSession && (() => loaded(agent, sessionId, wanted));
  const resume = agent.resumeSession && (() => resumed(agent, sessionId, options));
  const [first, second] = isKnown ? [resume, load] : [load, resume];
  const back = await firstThatWorks(first, second);
  if (!isKnown) return back;
  return {
    ...back,
    boundary: { reason: 'restarted', message: 'The agent was started again. It knows what came before.' },
  };
}

async function firstThatWorks(
  first: (() => Promise<BroughtBack>) | undefined,
  second: (() => Promise<BroughtBack>) | undefined,
): Promise<BroughtBack> {
  if (first && second) {
    return first().catch((error: unknown) => {
      if (isAboutMore(error)) throw error;
      return second();
    });
  }
  const only = first ?? second;
  if (!only) throw new TurnwireError('not-advertised', 'The agent can neither load nor resume a session');
  return only();
}

async function loaded(agent: Agent, sessionId: string, { options, beforeLoad }: WantedSession): Promise<BroughtBack> {
  await beforeLoad();
  const session = await (agent.loadSession as NonNullable<Agent['loadSession']>)({ ...options, sessionId });
  return { session, by: 'load', boundary: { reason: 'loaded', message: 'The stored session was loaded.' } };
}

async function resumed(agent: Agent, sessionId: string, options: NewSessionOptions): Promise<BroughtBack> {
  const session = await (agent.resumeSession as NonNullable<Agent['resumeSession']>)({ ...options, sessionId });
  const message = 'The stored session continues. The agent knows what came before but does not repeat it.';
  return { session, by: 'resume', boundary: { reason: 'resumed', message } };
}

function lost(error: unknown): NonNullable<BroughtBack['boundary']> {
  return {
    reason: 'context-lost',
    message: `The session could not be brought back: ${errorText(error).replace(/\.$/, '')}. The agent knows nothing of what came before.`,
  };
}

/** Nothing that a new session could repair: the user has to log in, the agent is gone, or nobody wants it any more. */
function isAboutMore(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === errorCodes.authenticationRequired;
  return error instanceof TurnwireError && error.code !== 'not-advertised' && error.code !== 'timeout';
}
