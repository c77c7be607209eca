import type { Agent, AgentOptions } from '@turnwire/client';
import type { AskingMeans } from '@turnwire/client/known-agents';

/** Another agent that the model can give tasks to. */
export interface HireableAgent {
  /** Its name, by which the model hires it and rules know it. */
  readonly name: string;
  /** Its common name. */
  readonly title?: string | undefined;
}

/** How an agent is started for a task. */
export interface HiringOptions extends Pick<AgentOptions, 'permission' | 'signal'> {
  /** The folder it works in: absolute. */
  readonly cwd: string;
}

/** A started agent. */
export interface HiredAgent {
  readonly agent: Agent;
  /** How it is made to ask for permission. Absent: it asks. */
  readonly asking?: AskingMeans | undefined;
}

/** The agents that the model can hire, as the program that serves this agent knows them. */
export interface HireableAgents {
  /** Lists those that can be started for a session in a folder. Called once in a session. */
  list(cwd: string): Promise<readonly HireableAgent[]>;
  /** Starts one and initializes the connection. Rejects with an error whose message the model and the user can read. */
  start(name: string, options: HiringOptions): Promise<HiredAgent>;
}
