import type { RequirementId, Subject } from '../requirements/requirement.ts';
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
  /** Begins to listen to one connection. What the rule remembers is in what it returns. */
  readonly listen: (hearing: Hearing) => Listener;
}

/** Hears the frames of a connection in order. */
interface Listener {
  /** The side that is judged said this. */
  readonly said?: (frame: Frame) => void;
  /** The other side said this: it may be anything, and need not be right. */
  readonly heard?: (frame: Frame) => void;
  /** There are no more frames. Missing ones may have been cut off. */
  readonly end?: () => void;
}

/** What a rule knows, and where it says what it saw. */
export interface Hearing {
  readonly judged: Subject;
  readonly facts: Facts;
  /** Every frame, those to come included. */
  readonly frames: readonly Frame[];
  /** Whether nothing is missing: no beginning, and nothing between. */
  readonly isWhole: boolean;
  /** A requirement could have been broken, and was met. */
  readonly held: (requirement: RequirementId) => void;
  /** A requirement was broken; the frames show it. The message is a sentence without its full stop. */
  readonly broken: (requirement: RequirementId, message: string, ...evidence: readonly (Frame | undefined)[]) => void;
}
