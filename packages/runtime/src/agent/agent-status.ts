import type { Agent } from '@turnwire/client';
import type { AgentState } from '@turnwire/protocol';
import { offersOf } from './agent-facts.ts';
import type { HostedAgent } from './hosted-agent.ts';

/** The state of a session without an agent. */
export const parked: AgentState = { name: 'parked' };

/** Whether the agent has ended or does not react, so that only a restart helps. */
export function isBroken(state: AgentState): boolean {
  return (
    state.name === 'dead' || state.name === 'reconnecting' || (state.name === 'cancelling' && state.isOverdue === true)
  );
}

/** The activity of a session's agent, and its offers while it runs. */
export class AgentStatus {
  readonly #hosted: HostedAgent;
  readonly #onChange: () => void;
  /** The state without the offers of the agent. */
  activity: AgentState = parked;
  #state: AgentState = parked;
  /** The sources of `#state`. */
  #source: { readonly activity: AgentState; readonly agent: Agent | undefined } = {
    activity: parked,
    agent: undefined,
  };

  /** @param onChange called after each change of the activity */
  constructor(hosted: HostedAgent, onChange: () => void) {
    this.#hosted = hosted;
    this.#onChange = onChange;
  }

  become(activity: AgentState): void {
    this.activity = activity;
    this.#onChange();
  }

  /** The state with the offers of the agent, undefined while it does not run. The same object until one of them changes. */
  stateOf(agent: Agent | undefined): AgentState {
    const { activity } = this;
    if (this.#source.activity === activity && this.#source.agent === agent) return this.#state;
    this.#source = { activity, agent };
    this.#state = agent
      ? { offers: offersOf(agent, this.#hosted), ...activity, ...(agent.info && { agent: agent.info }) }
      : activity;
    return this.#state;
  }
}
