import type { RequirementId, Subject } from '../requirements/requirement.ts';
import type { Observer } from '../verdict/observer.ts';
import type { Facts } from './facts.ts';
import type { Frame } from './frame.ts';

/** Something a side owes in every connection, seen from its frames alone. */
export interface Rule {
  readonly judges: Subject | 'both';
  readonly requirements: readonly RequirementId[];
  /** Begins to listen to one connection. What the rule remembers is in what it returns. */
  readonly listen: (context: RuleContext) => Listener;
}

/** A rule that remembers something of a connection. */
export function listener(
  judges: Rule['judges'],
  requirements: Rule['requirements'],
  listen: (context: RuleContext) => Listener,
): Rule {
  return { judges, requirements, listen };
}

/** A rule that judges each frame by itself. */
export function rule(
  judges: Rule['judges'],
  requirements: Rule['requirements'],
  sent: (frame: Frame, context: RuleContext) => void,
): Rule {
  return listener(judges, requirements, (context) => ({ sent: (frame) => sent(frame, context) }));
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

/** What a rule knows, and where it reports its verdicts: what shows a fault are frames. */
export interface RuleContext extends Pick<Observer, 'held' | 'broken' | 'check'> {
  readonly judged: Subject;
  readonly facts: Facts;
  /** Every frame but updates, those to come included. */
  readonly frames: readonly Frame[];
  /** When the last frame came, in milliseconds since the connection began. */
  readonly endsAt: number;
  /** Whether nothing is missing: no beginning, and nothing between. */
  readonly isWhole: boolean;
}
