import type { agentScenarios, clientScenarios, Strictness } from '@turnwire/conformance';
import type { GlobalOptions } from '../../options.ts';
import type { SettingArguments } from './check-settings.ts';
import type { MatrixSubject } from './read-matrix.ts';
import type { Selection } from './select-scenarios.ts';
import type { ReportTargets } from './write-reports.ts';

/** The arguments of `check matrix`. */
export interface MatrixArguments extends SettingArguments, Pick<ReportTargets, 'json' | 'html'> {
  /** The file with the agents and clients. Without one, the page is written again from the results that it keeps. */
  readonly file?: string | undefined;
  readonly only: readonly string[];
  readonly level: Strictness;
  /** The Markdown file that keeps the results. */
  readonly page?: string;
  /** The folder for the sessions of agents. */
  readonly sessionsIn?: string | undefined;
}

/** The selected scenarios for agents and for clients; undefined if the matrix has no agents or no clients. */
export interface Scenarios {
  readonly agent: Selection<(typeof agentScenarios)[number]> | undefined;
  readonly client: Selection<(typeof clientScenarios)[number]> | undefined;
}

/** A subject to judge in one version of the protocol. */
export interface Row {
  readonly subject: MatrixSubject;
  readonly scenarios: Scenarios;
  readonly args: MatrixArguments;
  readonly options: GlobalOptions;
  /** The name of its folder for traces. */
  readonly folder: string;
}
