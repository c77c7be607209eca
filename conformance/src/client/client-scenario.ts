import type { RequirementId } from '../requirements/requirement.ts';
import type { ClientStage } from './client-stage.ts';

/** Something a client is put through, to see whether it keeps what it must. */
export interface ClientScenario {
  /** `folder/what-happens`, never given to another scenario: people name it with `--only`. */
  readonly id: string;
  /** What a client does that conforms, as a sentence. */
  readonly title: string;
  /** What is seen here. What was not observed when the scenario ends is `unseen`. */
  readonly covers: readonly RequirementId[];
  /** What the frames cannot be judged by here, for the agent itself leads the client astray. */
  readonly unaudited?: readonly RequirementId[];
  /** Makes the occasions and says what it saw. Rejects with a `Stopped` when it cannot go on; any other error is a mistake of the kit. */
  run(stage: ClientStage): Promise<void>;
}
