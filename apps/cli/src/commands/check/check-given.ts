import type { Strictness } from '@turnwire/conformance';
import type { CheckSettingsGiven } from './check-settings.ts';
import type { NamedOnLine } from './check-subject.ts';
import type { ClientGiven } from './checked-client.ts';
import type { ReportPlaces } from './write-reports.ts';

/** The arguments of `check`. */
export interface CheckGiven extends ReportPlaces, NamedOnLine, CheckSettingsGiven, ClientGiven {
  readonly only: readonly string[];
  readonly level: Strictness;
  readonly client?: true;
  /** The file with a list of agents. */
  readonly matrix?: string;
  readonly list?: true;
  /** Seconds of fuzzing. */
  readonly fuzz?: number;
  /** The path of a failure that was found before. */
  readonly fuzzPath?: string;
}
