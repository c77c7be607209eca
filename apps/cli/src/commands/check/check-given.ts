import type { Strictness } from '@turnwire/conformance';
import type { CheckSettingsGiven } from './check-settings.ts';
import type { NamedOnLine } from './check-subject.ts';
import type { ClientGiven } from './checked-client.ts';
import type { ReportPlaces } from './write-reports.ts';

/** What `check` is given. */
export interface CheckGiven extends ReportPlaces, NamedOnLine, CheckSettingsGiven, ClientGiven {
  readonly only: readonly string[];
  readonly level: Strictness;
  readonly client?: true;
  /** The file with a list of agents. */
  readonly matrix?: string;
  readonly list?: true;
  /** Seconds of random things. */
  readonly fuzz?: number;
  /** The place of something that was found before. */
  readonly fuzzPath?: string;
}
