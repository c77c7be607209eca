import type { HostedAgent } from './agent/hosted-agent.ts';
import { AgentAccess, type AgentForSession, type SessionLogin } from './session/agent-access.ts';
import { type AgentFacts, offersOf } from './agent/agent-facts.ts';

/** How long an agent that was started for its capabilities waits for a session, in milliseconds. */
const keptFor = 30_000;

/** A running agent without a session. */
interface WarmAgent extends Required<AgentForSession> {
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * The agents of one name without a session. The first request for an agent's facts starts one; the next session in the same folder takes it.
 */
export class WarmAgents {
  readonly hosted: HostedAgent;
  readonly #cwd: string;
  #facts: Promise<AgentFacts> | undefined;
  #warm: Promise<WarmAgent> | undefined;
  #starting = new AbortController();

  /** @param cwd the folder in which an agent without a session starts */
  constructor(hosted: HostedAgent, cwd: string) {
    this.hosted = hosted;
    this.#cwd = cwd;
  }

  /** The facts of the agent. Rejects as its start does. */
  facts(): Promise<AgentFacts> {
    if (!this.#facts) {
      this.#facts = this.#running().then(({ agent }) => ({ info: agent.info, ...offersOf(agent, this.hosted) }));
      this.#facts.catch(() => (this.#facts = undefined));
    }
    return this.#facts;
  }

  /** Logs in. The next session gets the agent with the login, or one that starts after it. */
  async authenticate({ methodId, questions }: SessionLogin): Promise<void> {
    const { agent, access } = await this.#running();
    const { needsRestart } = await access.asking(questions, () => agent.authenticate(methodId));
    if (needsRestart) await this.close();
  }

  /** Logs out, if the agent has a logout. */
  async logOut(): Promise<void> {
    const { agent } = await this.#running();
    await agent.logout?.();
  }

  /** Takes a running agent, or an access to start one, for a session in a folder. */
  async take(cwd: string): Promise<AgentForSession> {
    const taken = cwd === this.#cwd ? this.#warm : undefined;
    // Before the agent has started: another session may ask for one meanwhile.
    if (taken) this.#warm = undefined;
    const warm = await taken?.catch(() => undefined);
    if (!warm) return { access: new AgentAccess(this.hosted) };
    clearTimeout(warm.timer);
    return warm;
  }

  /** Ends the agent without a session, even if it has not answered yet. */
  async close(): Promise<void> {
    this.#starting.abort();
    const warm = await this.#warm?.catch(() => undefined);
    this.#warm = undefined;
    clearTimeout(warm?.timer);
    await warm?.agent.close();
  }

  #running(): Promise<WarmAgent> {
    if (!this.#warm) {
      const warm = this.#start();
      this.#warm = warm;
      const forget = (): void => {
        if (this.#warm === warm) this.#warm = undefined;
      };
      warm.then(({ agent }) => agent.closed.then(forget), forget);
    }
    return this.#warm;
  }

  async #start(): Promise<WarmAgent> {
    const access = new AgentAccess(this.hosted);
    const { signal } = (this.#starting = new AbortController());
    const agent = await this.hosted.start(access.options(signal), { cwd: this.#cwd });
    const timer = setTimeout(() => void this.close(), keptFor);
    timer.unref();
    return { access, agent, timer };
  }
}
