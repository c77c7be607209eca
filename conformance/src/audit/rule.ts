import type { CheckedVersion, RequirementId, Subject } from '../requirements/requirement.ts';
import type { Observer } from '../verdict/observer.ts';
import type { Facts } from './facts.ts';
import type { Frame } from './frame.ts';

/** A requirement that applies on every connection and shows in its frames alone. */
export interface Rule {
  readonly judges: Subject | 'both';
  readonly requirements: readonly RequirementId[];
  /** Starts observing one connection. The returned listener holds the rule's state. */
  readonly listen: (context: RuleContext) => Listener;
}

/** A rule with state per connection. */
export function listener(
  judges: Rule['judges'],
  requirements: Rule['requirements'],
  listen: (context: RuleContext) => Listener,
): Rule {
  return { judges, requirements, listen };
}

/** A rule that judges each frame separately. */
export function rule(
  judges: Rule['judges'],
  requirements: Rule['requirements'],
  sent: (frame: Frame, context: RuleContext) => void,
): Rule {
  return listener(judges, requirements, (context) => ({ sent: (frame) => sent(frame, context) }));
}

/** Receives the frames of a connection in order. */
export interface Listener {
  /** Called for frames of the judged side. */
  readonly sent?: (frame: Frame) => void;
  /** Called for frames of the other side, which may be invalid. */
  readonly received?: (frame: Frame) => void;
  /** Called after the last frame. Missing frames may have been cut off. */
  readonly end?: () => void;
}

/** The information that a rule has, and the functions that report its verdicts with frames as evidence. */
export interface RuleContext extends Pick<Observer, 'held' | 'broken' | 'check'> {
  readonly judged: Subject;
  /** The version of the connection. */
  readonly version: CheckedVersion;
  readonly facts: Facts;
  /** All frames except updates, including later ones. */
  readonly frames: readonly Frame[];
  /** Time of the last frame, in milliseconds since the connection began. */
  readonly endsAt: number;
  /** Whether the journal is complete: from the beginning and without gaps. */
  readonly isWhole: boolean;
}
