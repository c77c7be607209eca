import type { CheckedVersion, Subject } from '../requirements/requirement.ts';
import type { Observation } from '../verdict/observation.ts';
import type { JournalEntry } from '../wire/messages.ts';
import { Facts } from './facts.ts';
import { Findings } from './findings.ts';
import type { Frame } from './frame.ts';
import { Outline } from './outline.ts';
import type { Listener, RuleContext } from './rule.ts';
import { rules } from './rules.ts';

/** Options of an audit. */
export interface AuditOptions {
  /** Whether the journal contains all frames of the connection. If not, missing frames are not faults. Default true. */
  readonly isWhole?: boolean;
  /** The version in which the side is judged; connections of another version are not judged. Default: that of the connection. */
  readonly version?: CheckedVersion | undefined;
}

/**
 * Judges one side of a connection by everything it must do in any situation: framing, JSON-RPC, schemas, capabilities, order. Only its
 * own frames count. Reports `held` for each requirement that could have been broken, and `broken` with the frames as evidence, at most
 * three times per requirement. Never throws, whatever the lines contain.
 * @param judged the side to judge; the other side may have sent anything
 */
export function auditJournal(
  journal: readonly JournalEntry[],
  judged: Subject,
  options: AuditOptions = {},
): readonly Observation[] {
  const outline = new Outline(options.version);
  for (const entry of journal) outline.add(entry);
  const audit = new Audit(outline, judged, options);
  for (const entry of journal) audit.take(outline.again(entry));
  return audit.end();
}

/** Audits a connection in two passes: the first builds an outline, the second judges each frame. */
export class Audit {
  readonly #judged: Subject;
  readonly #facts = new Facts();
  readonly #findings: Findings;
  readonly #listeners: readonly Listener[];

  /** @param outline the outline of all frames of the connection */
  constructor(outline: Outline, judged: Subject, { isWhole = true, version }: AuditOptions = {}) {
    const { frames, endsAt } = outline;
    this.#judged = judged;
    const known =
      isChecked(outline.version) && outline.version === (version ?? outline.version) ? outline.version : undefined;
    const findings = (this.#findings = new Findings(known));
    const context: RuleContext = {
      judged,
      version: known ?? 1,
      facts: this.#facts,
      frames,
      endsAt,
      isWhole,
      held: (requirement) => findings.held(requirement),
      broken: (...args) => findings.broken(...args),
      check: (...args) => findings.check(...args),
    };
    this.#listeners = (known === undefined ? [] : rules[known])
      .filter(({ judges }) => judges === 'both' || judges === judged)
      .map(({ listen }) => listen(context));
  }

  /** Judges the next frame, as returned by `outline.again`. */
  take(frame: Frame): void {
    this.#facts.take(frame);
    for (const { sent, received } of this.#listeners) (frame.from === this.#judged ? sent : received)?.(frame);
  }

  /** Returns the findings. Call this once, after the last frame. */
  end(): readonly Observation[] {
    for (const { end } of this.#listeners) end?.();
    return this.#findings.all;
  }
}

function isChecked(version: number): version is CheckedVersion {
  return version === 1 || version === 2;
}
