import type { Side } from './installs.ts';

/** The steps of a table, in its order. */
export const stepNames = ['write', 'run', 'deny', 'cancel', 'load'] as const;
export type StepName = (typeof stepNames)[number];

/** The result of one step. */
export interface StepResult {
  /** Empty: the step did what it is for. */
  readonly failures: readonly string[];
  /** All frames between client and agent, one a line. */
  readonly frames: readonly string[];
}

/** A program that is installed on one side. */
export interface PreparedProgram extends AsyncDisposable {
  /** Its `node_modules`. */
  readonly modules: string;
  /** The version of the SDK in use. */
  readonly sdk: string;
  /** Resolves with undefined if the program cannot do the step. */
  run(step: StepName): Promise<StepResult | undefined>;
}

/** A third-party program that uses the official SDK. */
export interface Program {
  readonly name: string;
  /** The package with the types or sources that the compiler checks. Absent: it ships none. */
  readonly typed?: string;
  /** The packages to install, with exact versions. */
  readonly packages: readonly string[];
  prepare(side: Side): Promise<PreparedProgram>;
}
