import type { Script, Scripts, Scenario } from '../judge/scenario.ts';
import type { RawMessage } from '../wire/journal.ts';
import type { AgentStage } from './agent-stage.ts';

/** A test of an agent for one or more requirements. */
export interface AgentScenario extends Scenario<AgentStage> {
  /** The capabilities of the client. Default: all that a client can offer. */
  readonly client?: RawMessage;
}

/** What a scenario does. */
export type AgentScript = Script<AgentStage>;

/** What scenarios do, by their ids: `scenarios.json` says what they are. */
export type AgentScripts = Scripts<AgentStage>;
