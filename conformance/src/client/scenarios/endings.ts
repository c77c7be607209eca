import type { RequirementId } from '../../requirements/requirement.ts';
import { linesIn, speaks } from '../client-habits.ts';
import { type ClientStage, type Done, howItEnded } from '../client-stage.ts';
import type { ClientEnd } from '../drive/client-run.ts';

/** Said by the agent before something odd happens in a turn. */
export const wordsBefore = 'Words before the warning.';
/** Said by the agent after it. */
export const wordsAfter = 'Words after the warning.';

// What a client is, whatever its agent does, are findings of their own: it survives (R336), shows what follows (R337), and reports failures
// (R338). A crash in a scenario about logins says nothing of logins.

/** What a program prints that did not foresee its end. */
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

/** What is wrong with the end of a client, whatever it met. */
export function faultOf(end: ClientEnd): string | false {
  if (end.how === 'killed') return 'the client did not end, and continued when it was interrupted';
  if (end.how === 'interrupted') return `the client did not end until it was interrupted`;
  if (end.exit.signal !== null) return `the client died of ${end.exit.signal}`;
  // Who ends in good order may have logged what was caught.
  const hasCrashed = end.exit.code !== 0 && crashes.some((crash) => crash.test(end.stderr));
  return hasCrashed && `the client crashed: ${howItEnded(end)}`;
}

/** Judges whether a client ended in time and without a crash. It may have given up, with a message; if it continued it shows what came afterwards. */
export function survives(stage: ClientStage, done: Done, requirement: RequirementId = 'R336'): void {
  if (!survived(stage, done, requirement)) return;
  const { end } = done;
  const fault = end.exit.code === 0 && unshown(done);
  if (fault !== false) return complain(stage, done, ['R337', fault]);
  const isSilent = end.exit.code !== 0 && said(end).trim() === '';
  if (isSilent) judgeReport(stage, done, ['R338', `the client ended without a word: ${howItEnded(end)}`]);
  else if (requirement === 'R338') stage.see.held('R338');
  if (requirement !== 'R336' && requirement !== 'R338') stage.see.held(requirement);
}

/** Judges whether the client ended in time, without a crash, and reported that something failed: by its exit code, or by a message. */
export function reports(stage: ClientStage, done: Done, requirement: RequirementId = 'R338'): void {
  const { end } = done;
  const { exitCode, lines, starts } = stage.habits;
  if (end.how === 'interrupted' && stage.agents.length > starts)
    return stage.see.unseen(requirement, 'the client was still starting its agent again when it was interrupted');
  // Output from before the failure does not report the failure.
  const isKnown = (line: string): boolean => lines.has(line) || line.includes(wordsBefore);
  const isUsual = end.exit.code === exitCode && linesIn(said(end)).every(isKnown);
  if (isUsual && faultOf(end) === false)
    judgeReport(stage, done, [requirement, `the failure was not reported: ${howItEnded(end)}`]);
  else survives(stage, done, requirement);
}

/** That a client does not wait for an agent that is gone (R013), and reports that it is. */
export function reportsDeath(stage: ClientStage, done: Done): void {
  const waits = done.end.how !== 'by itself';
  if (waits && stage.agents.length <= stage.habits.starts)
    return void stage.see.check('R013', faultOf(done.end), done.agent.journal.slice(-4));
  if (!waits) stage.see.held('R013');
  reports(stage, done);
}

/** Judges whether the client continued normally: it did its task, and showed later updates if it shows any. */
export function continuesNormally(stage: ClientStage, done: Done, requirement: RequirementId = 'R337'): boolean {
  if (!survived(stage, done, requirement)) return false;
  const { end } = done;
  const hasGivenUp = end.exit.code !== 0 && stage.habits.exitCode === 0;
  const fault = unshown(done) || (hasGivenUp && `the client gave up: ${howItEnded(end)}`);
  const isUsual = end.exit.code === stage.habits.exitCode && end.stdout.includes(wordsAfter);
  const isKept = fault === false && (end.exit.code === 0 || isUsual);
  if (fault !== false) complain(stage, done, [requirement, fault]);
  else if (isKept) stage.see.held(requirement);
  else stage.see.unseen(requirement, 'the client ends with another exit code than 0 even when nothing is wrong');
  return isKept;
}

/**
 * Judges whether a client ended in time and without a crash. A crash is R336 whatever the scenario is about; a client that hangs may break
 * what the scenario is about. Returns whether it did.
 */
export function survived(stage: ClientStage, done: Done, requirement: RequirementId = 'R336'): boolean {
  const fault = faultOf(done.end);
  const isOwn = done.end.how === 'by itself' || requirement === 'R337' || requirement === 'R338';
  if (fault === false) stage.see.held('R336');
  else complain(stage, done, [isOwn ? 'R336' : requirement, fault]);
  return fault === false;
}

/** A failure that is not reported, if this client ever reports anything. */
function judgeReport(stage: ClientStage, done: Done, [requirement, fault]: readonly [RequirementId, string]): void {
  const unseen = 'the client prints nothing, whatever happens: it is not visible whether users are informed';
  if (speaks(stage.habits)) complain(stage, done, [requirement, fault]);
  else stage.see.unseen(requirement, unseen);
}

function complain({ see }: ClientStage, { agent }: Done, [requirement, fault]: readonly [RequirementId, string]): void {
  see.broken(requirement, fault, agent.journal.slice(-4));
}

function unshown({ agent, end: { stdout } }: Done): string | false {
  const isSaid = agent.journal.some(({ from, text }) => from === 'agent' && text.includes(wordsAfter));
  const isLost = isSaid && stdout.includes(wordsBefore) && !stdout.includes(wordsAfter);
  return isLost && 'what the agent said afterwards was not shown';
}

function said({ stdout, stderr }: ClientEnd): string {
  return `${stdout}\n${stderr}`;
}
