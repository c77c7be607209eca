import type { RemoteProfile } from '../remote/endpoint.ts';
import type { RequirementId } from '../requirements/requirement.ts';
import type { RawMessage } from '../wire/journal.ts';
import type { AgentStage } from './agent-stage.ts';

/** A test of an agent for one or more requirements. */
export interface AgentScenario {
  /** `folder/what-happens`, never reused for another scenario: users pass it to `--only`. */
  readonly id: string;
  /** The behaviour of a conforming agent, as a sentence. */
  readonly title: string;
  /** The requirements observed here. Those not observed when the scenario ends are `unseen`. */
  readonly covers: readonly RequirementId[];
  /** Only for agents that are reached like this. Default: for all. */
  readonly over?: RemoteProfile;
  /** Not for agents that are reached like this: what it sends, or looks for, does not get that far. */
  readonly notOver?: RemoteProfile;
  /** What the frames cannot be judged by here, for another client has turns in the same session. */
  readonly unaudited?: readonly RequirementId[];
  /** The capabilities of the client. Default: all that a client can offer. */
  readonly client?: RawMessage;
  /**
   * Creates the preconditions and reports observations. Rejects with a `Stopped` when it cannot continue; any other error is a harness
   * error.
   */
  run(stage: AgentStage): Promise<void>;
}

/** A scenario: its id, what it observes, and how. */
export function agentScenario(
  id: AgentScenario['id'],
  covers: AgentScenario['covers'],
  scenario: Omit<AgentScenario, 'id' | 'covers'>,
): AgentScenario {
  return { id, covers, ...scenario };
}
