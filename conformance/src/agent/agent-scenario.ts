import type { RequirementId } from '../requirements/requirement.ts';
import type { RawMessage } from '../wire/journal.ts';
import type { AgentStage } from './agent-stage.ts';

/** Something an agent is put through, to see whether it keeps what it must. */
export interface AgentScenario {
  /** `folder/what-happens`, never given to another scenario: people name it with `--only`. */
  readonly id: string;
  /** What an agent does that conforms, as a sentence. */
  readonly title: string;
  /** What is seen here. What was not observed when the scenario ends is `unseen`. */
  readonly covers: readonly RequirementId[];
  /** The capabilities of the client it meets. Default: everything a client can offer. */
  readonly client?: RawMessage;
  /** Makes the occasions and says what it saw. Rejects with a `Stopped` when it cannot go on; any other error is a mistake of the kit. */
  run(stage: AgentStage): Promise<void>;
}
