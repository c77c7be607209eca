import type { Agent } from '@turnwire/client';
import type { AgentState } from '@turnwire/protocol';
import { offersOf } from './agent-facts.ts';
import { parked } from './agent-state.ts';
import type { HostedAgent } from './hosted-agent.ts';

/** What the agent of a session does, and what it offers while it runs. */
export class AgentStatus {
  readonly #hosted: HostedAgent;
  readonly #onChange: () => void;
  #activity: AgentState = parked;
  #state: AgentState = parked;
  /** The activity and the agent of which `#state` is made. */
  #source: { readonly activity: AgentState; readonly agent: Agent | undefined } = {
    activity: parked,
    agent: undefined,
  };

  /** @param onChange called after each change of the activity */
  constructor(hosted: HostedAgent, onChange: () => void) {
    this.#hosted = hosted;
    this.#onChange = onChange;
  }

  /** What the agent does, without its offers. */
  get activity(): AgentState {
    return this.#activity;
  }

  become(activity: AgentState): void {
    this.#activity = activity;
    this.#onChange();
  }

  /** The state with the offers of the agent, undefined while it does not run. The same object until one of them changes. */
  stateOf(agent: Agent | undefined): AgentState {
    const activity = this.#activity;
    if (this.#source.activity === activity && this.#source.agent === agent) return this.#state;
    this.#source = { activity, agent };
    this.#state = agent
      ? { ...activity, offers: offersOf(agent, this.#hosted), ...(agent.info && { agent: agent.info }) }
      : activity;
    return this.#state;
  }
}
