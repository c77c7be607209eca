import type { RequirementId, Subject } from '../requirements/requirement.ts';
import type { Fault } from '../verdict/observer.ts';
import type { Facts } from './facts.ts';
import type { Frame } from './frame.ts';

/** Something a side owes in every connection, seen from its frames alone. */
export interface Rule {
  /** What is kept, as a sentence. */
  readonly name: string;
  /** Who can be judged by it. */
  readonly judges: Subject | 'both';
  /** What it speaks of. */
  readonly requirements: readonly RequirementId[];
  /** Judges each frame by itself. */
  readonly sent?: (frame: Frame, context: RuleContext) => void;
  /** Begins to listen to one connection. What the rule remembers is in what it returns. Default: it remembers nothing. */
  readonly listen?: (context: RuleContext) => Listener;
}

/** A rule: who is judged, what it speaks of, and how. */
export function rule(
  judges: Rule['judges'],
  requirements: Rule['requirements'],
  how: Omit<Rule, 'judges' | 'requirements'>,
): Rule {
  return { judges, requirements, ...how };
}

/** Receives the frames of a connection in order. */
export interface Listener {
  /** The side that is judged sent this. */
  readonly sent?: (frame: Frame) => void;
  /** The other side sent this: it may be anything, and need not be right. */
  readonly received?: (frame: Frame) => void;
  /** There are no more frames. Missing ones may have been cut off. */
  readonly end?: () => void;
}

/** What a rule knows, and where it reports its verdicts. */
export interface RuleContext {
  readonly judged: Subject;
  readonly facts: Facts;
  /** Every frame but updates, those to come included. */
  readonly frames: readonly Frame[];
  /** When the last frame came, in milliseconds since the connection began. */
  readonly endsAt: number;
  /** Whether nothing is missing: no beginning, and nothing between. */
  readonly isWhole: boolean;
  /** A requirement could have been broken, and was met. */
  readonly held: (requirement: RequirementId) => void;
  /** A requirement was broken; the frames show it. The message is a sentence without its full stop. */
  readonly broken: (requirement: RequirementId, message: string, ...evidence: readonly (Frame | undefined)[]) => void;
  /** Either: whether there is a fault says which. */
  readonly check: (
    judged: RequirementId | readonly RequirementId[],
    fault: Fault,
    ...evidence: readonly (Frame | undefined)[]
  ) => void;
}
