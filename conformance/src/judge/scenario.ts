import type { RemoteProfile } from '../remote/endpoint.ts';
import type { CheckedVersion, RequirementId } from '../requirements/requirement.ts';
import { appliesIn, requirementIn } from '../requirements/requirements.ts';

/** The code of a scenario. */
export type Script<Context> = (context: Context) => Promise<void>;

/** The code of scenarios by id. */
export type Scripts<Context> = Readonly<Record<string, Script<Context>>>;

/** A test of an agent, or of a client, for one or more requirements. */
export interface Scenario<Context> {
  /** `folder/what-happens`. Never reused for another scenario, because users pass it to `--only`. */
  readonly id: string;
  /** The behaviour of a conforming subject, as a sentence. */
  readonly title: string;
  /**
   * The requirements that it observes. Those without an observation at its end are `unseen`. A scenario of both versions has those of
   * version 1, or of version 2 where version 1 has none.
   */
  readonly covers: readonly RequirementId[];
  /** The versions of the protocol in which it makes sense. Default: only version 1. */
  readonly versions?: readonly CheckedVersion[];
  /** The only transport for which the scenario makes sense. Default: all. */
  readonly over?: RemoteProfile;
  /** A transport for which it makes no sense, because its messages would not arrive. */
  readonly notOver?: RemoteProfile;
  /**
   * Requirements that the frames cannot show here: another client has turns in the same session, or the agent misleads its client on
   * purpose.
   */
  readonly unaudited?: readonly RequirementId[];
  /**
   * Creates the preconditions and reports observations. Rejects with a `Stopped` when it cannot continue; every other error is a harness
   * error.
   */
  readonly run: Script<Context>;
}

/** The scenarios of a version of the protocol, with the names that their requirements have in it. */
export function scenariosIn<Kind extends Pick<Scenario<never>, 'covers' | 'versions'>>(
  version: CheckedVersion,
  scenarios: readonly Kind[],
): readonly Kind[] {
  return scenarios
    .filter(({ versions = [1] }) => versions.includes(version))
    .map((each) => {
      const covers = each.covers.map((id) => requirementIn(version, id)).filter((id) => appliesIn(version, id));
      return { ...each, covers: [...new Set(covers)] };
    });
}

/**
 * Combines the scenarios of a catalogue with their code, in the order of the catalogue.
 * @throws RangeError if an id is missing in the catalogue or in the code
 */
export function scenariosOf<Context, Kind extends Scenario<Context>>(
  catalogue: readonly Omit<Kind, 'run'>[],
  scripts: Scripts<Context>,
): readonly Kind[] {
  const stray = Object.keys(scripts).find((id) => catalogue.every((entry) => entry.id !== id));
  if (stray !== undefined) throw new RangeError(`the catalogue has no scenario ${stray}`);
  return catalogue.map((entry) => {
    const run = scripts[entry.id];
    if (run === undefined) throw new RangeError(`the scenario ${entry.id} has no script`);
    return { ...entry, run } as Kind;
  });
}
