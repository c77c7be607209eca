import type { RemoteProfile } from '../remote/endpoint.ts';
import type { RequirementId } from '../requirements/requirement.ts';
import type { ClientStage } from './client-stage.ts';

/** Something a client is put through, to see whether it keeps what it must. */
export interface ClientScenario {
  /** `folder/what-happens`, never reused for another scenario: users pass it to `--only`. */
  readonly id: string;
  /** What a client does that conforms, as a sentence. */
  readonly title: string;
  /** The requirements observed here. Those not observed when the scenario ends are `unseen`. */
  readonly covers: readonly RequirementId[];
  /** Only for clients that reach their agent like this. Default: for all. */
  readonly over?: RemoteProfile;
  /** What the frames cannot be judged by here, for the agent itself leads the client astray. */
  readonly unaudited?: readonly RequirementId[];
  /**
   * Creates the preconditions and reports observations. Rejects with a `Stopped` when it cannot continue; any other error is a harness
   * error.
   */
  run(stage: ClientStage): Promise<void>;
}

/** A scenario: its id, what it observes, and how. */
export function clientScenario(
  id: ClientScenario['id'],
  covers: ClientScenario['covers'],
  scenario: Omit<ClientScenario, 'id' | 'covers'>,
): ClientScenario {
  return { id, covers, ...scenario };
}
