import {
  type ContentBlock,
  isSteerable,
  promptRequiredWhenIdle,
  type SteeringAnswer,
  steeringMethod,
} from '@turnwire/protocol';
import type { Agent } from '../agent/agent.ts';

/** What is sent into a running turn. */
export interface SteeringPrompt {
  readonly sessionId: string;
  readonly prompt: readonly ContentBlock[];
  /** Called when the agent has it, before the updates that it sends after that. */
  readonly onTaken?: () => void;
}

/** Whether an agent takes prompts into a running turn: it advertises `_session/steering`. */
export function canSteer(agent: Agent | undefined): agent is Agent {
  return isSteerable(agent?.peer.remote);
}

/**
 * Sends a prompt into the running turn of a session, which then answers it too. Resolves when the agent has read it, at its next step, or will
 * not, as when no turn runs: with whether it has it. Rejects with ProtocolError, also if the agent has no such method, or with TurnwireError
 * `connection-closed`.
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
