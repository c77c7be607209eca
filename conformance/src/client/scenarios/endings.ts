import type { RequirementId } from '../../requirements/requirement.ts';
import { type ClientStage, type Done, howItEnded } from '../client-stage.ts';
import type { ClientEnd } from '../drive/client-run.ts';

/** Said by the agent before something odd happens in a turn. */
export const wordsBefore = 'Words before the trouble.';
/** Said by the agent after it. */
export const wordsAfter = 'Words after the trouble.';

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

/** What is wrong with the end of a client, whatever it met; undefined if nothing is. */
export function faultOf(end: ClientEnd): string | undefined {
  if (end.how === 'killed') return 'the client did not end, and went on when it was interrupted';
  if (end.how === 'interrupted') return `the client did not end until it was interrupted`;
  if (end.exit.signal !== null) return `the client died of ${end.exit.signal}`;
  if (crashes.some((crash) => crash.test(end.stderr))) return `the client crashed: ${howItEnded(end)}`;
  return undefined;
}

/** `held` if the client ended in time and without a crash, and said something if it failed; it may have given up. */
export function survives(stage: ClientStage, { agent, end }: Done, requirement: RequirementId): boolean {
  const fault = faultOf(end) ?? (isSilent(end) ? `the client ended without a word: ${howItEnded(end)}` : undefined);
  return stage.see.check(requirement, fault === undefined, {
    otherwise: fault ?? '',
    evidence: agent.journal.slice(-4),
  });
}

/** `held` if the client ended in time, without a crash, and said that something failed: its exit code, or words. */
export function tells(stage: ClientStage, { agent, end }: Done, requirement: RequirementId): boolean {
  const isUntold = end.exit.code === 0 && end.stderr.trim() === '' && end.stdout.trim() === '';
  const fault = faultOf(end) ?? (isUntold || isSilent(end) ? `nobody was told of it: ${howItEnded(end)}` : undefined);
  return stage.see.check(requirement, fault === undefined, {
    otherwise: fault ?? '',
    evidence: agent.journal.slice(-4),
  });
}

/** `held` if the client went on as if nothing had been: it did what it was told, and what came afterwards was shown if anything is. */
export function goesOn(stage: ClientStage, { agent, end }: Done, requirement: RequirementId): boolean {
  const fault = faultOf(end) ?? givenUp(end) ?? unshown(end);
  return stage.see.check(requirement, fault === undefined, {
    otherwise: fault ?? '',
    evidence: agent.journal.slice(-4),
  });
}

function givenUp(end: ClientEnd): string | undefined {
  return end.exit.code === 0 ? undefined : `the client gave up: ${howItEnded(end)}`;
}

function unshown({ stdout }: ClientEnd): string | undefined {
  const isLost = stdout.includes(wordsBefore) && !stdout.includes(wordsAfter);
  return isLost ? 'what the agent said afterwards was not shown' : undefined;
}

/** A failure that nobody is told of: no exit code, and no word. */
function isSilent({ exit, stdout, stderr }: ClientEnd): boolean {
  return exit.code !== 0 && `${stdout}${stderr}`.trim() === '';
}
