import type { Strictness } from '@turnwire/conformance';
import type { SettingArguments } from './check-settings.ts';
import type { NamedOnLine } from './check-subject.ts';
import type { ClientArguments } from './checked-client.ts';
import type { ReportTargets } from './write-reports.ts';

/** The arguments of `check`. */
export interface CheckArguments extends ReportTargets, NamedOnLine, SettingArguments, ClientArguments {
  readonly only: readonly string[];
  readonly level: Strictness;
  readonly client?: true;
  readonly list?: true;
  /** Seconds of fuzzing. */
  readonly fuzz?: number;
  /** The path of an earlier failure to reproduce. */
  readonly fuzzPath?: string;
}
