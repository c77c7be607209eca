import type { RemoteProfile } from '../remote/endpoint.ts';
import type { RequirementId } from '../requirements/requirement.ts';

/** What a scenario does. */
export type Script<Stage> = (stage: Stage) => Promise<void>;

/** What scenarios do, by their ids. */
export type Scripts<Stage> = Readonly<Record<string, Script<Stage>>>;

/** A test of an agent, or of a client, for one or more requirements. */
export interface Scenario<Stage> {
  /** `folder/what-happens`, never reused for another scenario: users pass it to `--only`. */
  readonly id: string;
  /** The behaviour of a conforming subject, as a sentence. */
  readonly title: string;
  /** The requirements observed here. Those not observed when the scenario ends are `unseen`. */
  readonly covers: readonly RequirementId[];
  /** Only where the two reach each other like this. Default: for all. */
  readonly over?: RemoteProfile;
  /** Not where they reach each other like this: what it sends, or looks for, does not get that far. */
  readonly notOver?: RemoteProfile;
  /** What the frames cannot be judged by here: another client has turns in the same session, or the agent itself leads its client astray. */
  readonly unaudited?: readonly RequirementId[];
  /**
   * Creates the preconditions and reports observations. Rejects with a `Stopped` when it cannot continue; any other error is a harness
   * error.
   */
  readonly run: Script<Stage>;
}

/**
 * The scenarios of a catalogue, in its order, with what each does.
 * @throws RangeError if one of the two has what the other lacks
 */
export function scenariosOf<Stage, Kind extends Scenario<Stage>>(
  catalogue: readonly Omit<Kind, 'run'>[],
  scripts: Scripts<Stage>,
): readonly Kind[] {
  const stray = Object.keys(scripts).find((id) => catalogue.every((entry) => entry.id !== id));
  if (stray !== undefined) throw new RangeError(`the catalogue has no scenario ${stray}`);
  return catalogue.map((entry) => {
    const run = scripts[entry.id];
    if (run === undefined) throw new RangeError(`there is no script for the scenario ${entry.id}`);
    return { ...entry, run } as Kind;
  });
}
