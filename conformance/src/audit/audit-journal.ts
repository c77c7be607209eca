import { protocolVersion } from '@turnwire/protocol';
import type { Subject } from '../requirements/requirement.ts';
import type { Observation } from '../verdict/observation.ts';
import type { JournalEntry } from '../wire/journal.ts';
import { Facts } from './facts.ts';
import { Findings } from './findings.ts';
import type { Frame } from './frame.ts';
import { readFrames } from './read-frames.ts';
import type { RuleContext } from './rule.ts';
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
  { isWhole = true }: AuditOptions = {},
): readonly Observation[] {
  const frames = readFrames(journal);
  // Another version of the protocol has other rules.
  if (frames.some(agreesOnAnotherVersion)) return [];
  const findings = new Findings();
  const facts = new Facts();
  const context: RuleContext = {
    judged,
    facts,
    frames,
    isWhole,
    held: (requirement) => findings.held(requirement),
    broken: (requirement, message, ...evidence) => findings.broken(requirement, message, evidence),
  };
  const listeners = rules
    .filter(({ judges }) => judges === 'both' || judges === judged)
    .map((rule) => rule.listen(context));
  for (const frame of frames) {
    facts.take(frame);
    for (const { sent, received } of listeners) (frame.from === judged ? sent : received)?.(frame);
  }
  for (const { end } of listeners) end?.();
  return findings.observations;
}

function agreesOnAnotherVersion({ method, isSuccess, result }: Frame): boolean {
  const version = isSuccess && method === 'initialize' ? result?.['protocolVersion'] : undefined;
  return Number.isInteger(version) && (version as number) > protocolVersion;
}
