import { protocolVersion } from '@turnwire/protocol';
import type { Subject } from '../requirements/requirement.ts';
import type { Observation } from '../verdict/observation.ts';
import type { JournalEntry } from '../wire/messages.ts';
import { Facts } from './facts.ts';
import { Findings } from './findings.ts';
import type { Frame } from './frame.ts';
import { Outline } from './outline.ts';
import type { Listener, RuleContext } from './rule.ts';
import { rules } from './rules.ts';

/** What is known of a journal. */
export interface AuditOptions {
  /** Whether it contains all frames of the connection. Missing frames are not counted as faults. Default true. */
  readonly isWhole?: boolean;
}

/**
 * Looks through everything that went over a connection for what one side owes whatever it does: framing, JSON-RPC, schemas, capabilities,
 * order. A side is judged by its own frames alone. Reports `held` for each requirement that could have been broken, and `broken` with the
 * frames that show it, three times at most. Never throws, whatever the lines are.
 * @param judged the side that is judged; the other one may have sent anything
 */
export function auditJournal(
  journal: readonly JournalEntry[],
  judged: Subject,
  options: AuditOptions = {},
): readonly Observation[] {
  const outline = new Outline();
  for (const entry of journal) outline.add(entry);
  const audit = new Audit(outline, judged, options);
  for (const entry of journal) audit.take(outline.again(entry));
  return audit.end();
}

/** The same for a connection that is read twice: first into an outline, then frame by frame. */
export class Audit {
  readonly #judged: Subject;
  readonly #facts = new Facts();
  readonly #findings = new Findings();
  readonly #listeners: readonly Listener[];

  /** @param outline of all frames of the connection */
  constructor({ frames, endsAt }: Outline, judged: Subject, { isWhole = true }: AuditOptions = {}) {
    this.#judged = judged;
    const findings = this.#findings;
    const context: RuleContext = {
      judged,
      facts: this.#facts,
      frames,
      endsAt,
      isWhole,
      held: (requirement) => findings.held(requirement),
      broken: (...said) => findings.broken(...said),
      check: (...said) => findings.check(...said),
    };
    // Another version of the protocol has other rules.
    const isOther = frames.some(({ method, isSuccess, result }) => {
      const version = isSuccess && method === 'initialize' ? result?.['protocolVersion'] : undefined;
      return Number.isInteger(version) && (version as number) > protocolVersion;
    });
    const known = isOther ? [] : rules;
    this.#listeners = known
      .filter(({ judges }) => judges === 'both' || judges === judged)
      .map(({ listen }) => listen(context));
  }

  /** Judges the next frame, as `outline.again` has it. */
  take(frame: Frame): void {
    this.#facts.take(frame);
    for (const { sent, received } of this.#listeners) (frame.from === this.#judged ? sent : received)?.(frame);
  }

  /** What was found: to be called once, after the last frame. */
  end(): readonly Observation[] {
    for (const { end } of this.#listeners) end?.();
    return this.#findings.all;
  }
}
