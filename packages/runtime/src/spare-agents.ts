import type { Agent } from '@turnwire/client';
import type { HostedAgent } from './agent/hosted-agent.ts';
import { AgentAccess, type AgentForSession } from './session/agent-access.ts';
import { type AgentFacts, offersOf } from './agent/agent-facts.ts';

/** How long an agent that was started to be asked for its capabilities waits for a session, in milliseconds. */
const keptFor = 30_000;

interface SpareAgent extends Required<AgentForSession> {
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * The agents of one name that have no session: what an agent says of itself is asked of the first one, before there is a session. The next
 * session in the same folder takes that one.
 */
export class SpareAgents {
  readonly hosted: HostedAgent;
  readonly #cwd: string;
  #facts: Promise<AgentFacts> | undefined;
  #spare: Promise<SpareAgent> | undefined;
  #starting = new AbortController();

  /** @param cwd where an agent is started that has no session yet */
  constructor(hosted: HostedAgent, cwd: string) {
    this.hosted = hosted;
    this.#cwd = cwd;
  }

  /** What the agent says of itself. Rejects as its start does. */
  facts(): Promise<AgentFacts> {
    if (!this.#facts) {
      this.#facts = this.#running().then(({ agent }) => factsOf(agent, this.hosted));
      this.#facts.catch(() => (this.#facts = undefined));
    }
    return this.#facts;
  }

  /** Logs in. The next session has the agent that was logged in, or one that is started after it. */
  async authenticate(methodId: string): Promise<void> {
    const { agent } = await this.#running();
    const { needsRestart } = await agent.authenticate(methodId);
    if (needsRestart) await this.close();
  }

  /** What a session in a folder starts its agent with. */
  async take(cwd: string): Promise<AgentForSession> {
    const taken = cwd === this.#cwd ? this.#spare : undefined;
    // At once: another session may ask for one while it starts.
    if (taken) this.#spare = undefined;
    const spare = await taken?.catch(() => undefined);
    if (!spare) return { access: new AgentAccess(this.hosted) };
    clearTimeout(spare.timer);
    return spare;
  }

  /** Ends the agent without a session, also one that has not answered yet. */
  async close(): Promise<void> {
    this.#starting.abort();
    const spare = await this.#spare?.catch(() => undefined);
    this.#spare = undefined;
    clearTimeout(spare?.timer);
    await spare?.agent.close();
  }

  #running(): Promise<SpareAgent> {
    if (!this.#spare) {
      const spare = this.#start();
      this.#spare = spare;
      const forget = (): void => {
        if (this.#spare === spare) this.#spare = undefined;
      };
      spare.then(({ agent }) => agent.closed.then(forget), forget);
    }
    return this.#spare;
  }

  async #start(): Promise<SpareAgent> {
    const access = new AgentAccess(this.hosted);
    const { signal } = (this.#starting = new AbortController());
    const agent = await this.hosted.start(access.options(signal), { cwd: this.#cwd });
    const timer = setTimeout(() => void this.close(), keptFor);
    timer.unref();
    return { access, agent, timer };
  }
}

function factsOf(agent: Agent, hosted: HostedAgent): AgentFacts {
  return { info: agent.info, ...offersOf(agent, hosted) };
}
