import type { RequirementId } from '../../requirements/requirement.ts';
import { linesIn, speaks } from '../client-baseline.ts';
import { type ClientContext, type Done, howItEnded } from '../client-context.ts';
import type { ClientEnd } from '../drive/client-run.ts';

/** A message of the agent before something unusual happens in a turn. */
export const textBefore = 'Words before the warning.';
/** A message of the agent afterwards. */
export const textAfter = 'Words after the warning.';

// These findings are separate from the subject of a scenario: a client survives (R336), shows later updates (R337) and reports failures
// (R338). A crash in a scenario about logins proves nothing about logins.

/** The output of programs that crashed. */
const crashes = [
  /^Traceback \(most recent call last\)/m,
  /thread '.*' panicked at/,
  /^panic: /m,
  /^goroutine \d+ \[running\]/m,
  /^Exception in thread "/m,
  /Uncaught exception|triggerUncaughtException|UnhandledPromiseRejection/,
  /^Node\.js v\d+/m,
  /Maximum call stack size exceeded|JavaScript heap out of memory/,
  /^Segmentation fault/m,
];

/** The fault in how a client ended, regardless of the scenario. */
export function faultOf(end: ClientEnd): string | false {
  if (end.how === 'killed') return 'the client did not exit, not even when it was interrupted';
  if (end.how === 'interrupted') return 'the client did not exit until it was interrupted';
  if (end.exit.signal !== null) return `the client was killed by ${end.exit.signal}`;
  // A client that exits with code 0 may have logged an error that it caught.
  const hasCrashed = end.exit.code !== 0 && crashes.some((crash) => crash.test(end.stderr));
  return hasCrashed && `the client crashed: ${howItEnded(end)}`;
}

/**
 * Judges whether a client ended in time and without a crash. It may have given up with a message; if it continued, it must show later
 * updates.
 */
export function survives(context: ClientContext, done: Done, requirement: RequirementId = 'R336'): void {
  if (!survived(context, done, requirement)) return;
  const { end } = done;
  const fault = end.exit.code === 0 && unshown(done);
  if (fault !== false) return reportBroken(context, done, ['R337', fault]);
  const isSilent = end.exit.code !== 0 && said(end).trim() === '';
  if (isSilent) judgeReport(context, done, ['R338', `the client ended without a message: ${howItEnded(end)}`]);
  else if (requirement === 'R338') context.see.held('R338');
  if (requirement !== 'R336' && requirement !== 'R338') context.see.held(requirement);
}

/** Judges whether the client ended in time, without a crash, and reported the failure with its exit code or a message. */
export function reports(context: ClientContext, done: Done, requirement: RequirementId = 'R338'): void {
  const { end } = done;
  const { exitCode, lines, starts } = context.baseline;
  if (end.how === 'interrupted' && context.agents.length > starts)
    return context.see.unseen(requirement, 'the client was still restarting its agent when it was interrupted');
  // Output from before the failure does not report the failure.
  const isKnown = (line: string): boolean => lines.has(line) || line.includes(textBefore);
  const isUsual = end.exit.code === exitCode && linesIn(said(end)).every(isKnown);
  if (isUsual && faultOf(end) === false)
    judgeReport(context, done, [requirement, `the failure was not reported: ${howItEnded(end)}`]);
  else survives(context, done, requirement);
}

/** Judges whether a client notices that its agent is gone instead of waiting for it (R013), and reports it. */
export function reportsDeath(context: ClientContext, done: Done): void {
  const waits = done.end.how !== 'by itself';
  if (waits && context.agents.length <= context.baseline.starts)
    return void context.see.check('R013', faultOf(done.end), done.agent.journal.slice(-4));
  if (!waits) context.see.held('R013');
  reports(context, done);
}

/** Judges whether the client continued normally: it completed its task, and showed later updates if it shows any. */
export function continuesNormally(context: ClientContext, done: Done, requirement: RequirementId = 'R337'): boolean {
  if (!survived(context, done, requirement)) return false;
  const { end } = done;
  const hasGivenUp = end.exit.code !== 0 && context.baseline.exitCode === 0;
  const fault = unshown(done) || (hasGivenUp && `the client gave up: ${howItEnded(end)}`);
  const isUsual = end.exit.code === context.baseline.exitCode && end.stdout.includes(textAfter);
  const isKept = fault === false && (end.exit.code === 0 || isUsual);
  if (fault !== false) reportBroken(context, done, [requirement, fault]);
  else if (isKept) context.see.held(requirement);
  else context.see.unseen(requirement, 'the client exits with a nonzero code even when nothing is wrong');
  return isKept;
}

/**
 * Judges whether a client ended in time and without a crash, and returns the result. A crash always breaks R336; a client that hangs may
 * break the requirement of the scenario.
 */
export function survived(context: ClientContext, done: Done, requirement: RequirementId = 'R336'): boolean {
  const fault = faultOf(done.end);
  const isOwn = done.end.how === 'by itself' || requirement === 'R337' || requirement === 'R338';
  if (fault === false) context.see.held('R336');
  else reportBroken(context, done, [isOwn ? 'R336' : requirement, fault]);
  return fault === false;
}

/** Reports that the client did not mention a failure, if this client prints anything at all. */
function judgeReport(context: ClientContext, done: Done, [requirement, fault]: readonly [RequirementId, string]): void {
  const unseen = 'the client never prints anything, so it cannot be observed whether users are informed';
  if (speaks(context.baseline)) reportBroken(context, done, [requirement, fault]);
  else context.see.unseen(requirement, unseen);
}

function reportBroken(
  { see }: ClientContext,
  { agent }: Done,
  [requirement, fault]: readonly [RequirementId, string],
): void {
  see.broken(requirement, fault, agent.journal.slice(-4));
}

function unshown({ agent, end: { stdout } }: Done): string | false {
  const isSaid = agent.journal.some(({ from, text }) => from === 'agent' && text.includes(textAfter));
  const isLost = isSaid && stdout.includes(textBefore) && !stdout.includes(textAfter);
  return isLost && 'later messages of the agent were not shown';
}

function said({ stdout, stderr }: ClientEnd): string {
  return `${stdout}\n${stderr}`;
}
