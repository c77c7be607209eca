import type { Subject } from '../requirements/requirement.ts';
import type { ScenarioResult } from './scenario-result.ts';
import type { Verdict } from './verdict.ts';

/** What was found out about a subject. */
export interface Judgement {
  /** The command, or what else people know it by. */
  readonly subject: string;
  readonly kind: Subject;
  /** What it says it is, if it says so: text of the peer. */
  readonly introduction?: Introduction;
  /** Why it could not be judged at all: it could not be started, or never answered. Nothing was exercised then. */
  readonly unreachable?: string;
  /** What it printed last before it could not be reached: a few lines of text of the peer. */
  readonly lastWords?: string;
  readonly seed: number;
  /** In milliseconds. */
  readonly duration: number;
  /** One for each requirement that binds the subject, in order. */
  readonly verdicts: readonly Verdict[];
  readonly results: readonly ScenarioResult[];
}

/** The name and version a side gives itself in `agentInfo` or `clientInfo`. */
export interface Introduction {
  readonly name: string;
  readonly version?: string;
}
