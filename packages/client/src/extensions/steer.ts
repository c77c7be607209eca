import {
  type ContentBlock,
  isSteerable,
  promptRequiredWhenIdle,
  type SteeringAnswer,
  steeringMethod,
} from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';

/** A prompt for a running turn. */
export interface SteeringPrompt {
  readonly sessionId: string;
  readonly prompt: readonly ContentBlock[];
  /** Called when the agent has read it, before the updates that follow. */
  readonly onTaken?: () => void;
}

/** Whether an agent accepts prompts during a turn: it advertises `_session/steering`. */
export function canSteer(agent: Agent | undefined): agent is Agent {
  return isSteerable(agent?.peer.remote);
}

/**
 * Sends a prompt into the running turn of a session, which then answers it too. Resolves with whether the agent has read it, once it has
 * done so at its next step, or when it no longer will, as without a running turn. Rejects with ProtocolError, for example if the agent does
 * not have the method, or with TurnwireError `connection-closed`.
 */
export async function steer({ peer }: Agent, { sessionId, prompt, onTaken }: SteeringPrompt): Promise<boolean> {
  let isTaken = false;
  const params = { sessionId, prompt: [...prompt], _meta: promptRequiredWhenIdle };
  await peer.raw.request(steeringMethod, params).then((answer) => {
    const { outcome } = (answer ?? {}) as Partial<SteeringAnswer>;
    isTaken = outcome === 'injected' || outcome === 'startedNewTurn';
    if (isTaken) onTaken?.();
  });
  return isTaken;
}
