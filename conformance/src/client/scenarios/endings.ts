import type { RequirementId } from '../../requirements/requirement.ts';
import { linesIn, speaks } from '../client-habits.ts';
import { type ClientStage, type Done, howItEnded } from '../client-stage.ts';
import type { ClientEnd } from '../drive/client-run.ts';

/** Said by the agent before something odd happens in a turn. */
export const wordsBefore = 'Words before the warning.';
/** Said by the agent after it. */
export const wordsAfter = 'Words after the warning.';

/** What a program prints that did not foresee its end. */
const crashes = [
  /^Traceback \(most recent call last\)/m,
  /transcript '.*' panicked at/,
  /^panic: /m,
  /^goroutine \d+ \[running\]/m,
  /^Exception in transcript "/m,
  /Uncaught exception|triggerUncaughtException|UnhandledPromiseRejection/,
  /^Node\.js v\d+/m,
  /Maximum call stack size exceeded|JavaScript heap out of memory/,
  /^Segmentation fault/m,
];

/** What is wrong with the end of a client, whatever it met; undefined if nothing is. */
export function faultOf(end: ClientEnd): string | undefined {
  if (end.how === 'killed') return 'the client did not end, and continued when it was interrupted';
  if (end.how === 'interrupted') return `the client did not end until it was interrupted`;
  if (end.exit.signal !== null) return `the client died of ${end.exit.signal}`;
  // Who ends in good order may have logged what was caught.
  if (end.exit.code !== 0 && crashes.some((crash) => crash.test(end.stderr)))
    return `the client crashed: ${howItEnded(end)}`;
  return undefined;
}

/**
 * `held` if the client ended in time and without a crash; it may have given up. If it continued it shows what came afterwards. Who gives up
 * without a word has survived: what that breaks is R023.
 */
export function survives(stage: ClientStage, done: Done, requirement: RequirementId): void {
  const { end } = done;
  const fault = faultOf(end) ?? (end.exit.code === 0 ? unshown(done) : undefined);
  if (fault !== undefined) return complain(stage, done, { requirement, fault });
  if (isSilent(end)) judgeSilence(stage, done);
  if (requirement !== 'R023' || !isSilent(end)) stage.see.held(requirement);
}

/** `held` if the client ended in time, without a crash, and said that something failed: its exit code, or words. */
export function reports(stage: ClientStage, done: Done, requirement: RequirementId): void {
  const { end } = done;
  const { exitCode, lines, starts } = stage.habits;
  if (end.how === 'interrupted' && stage.agents.length > starts)
    return stage.see.unseen(requirement, 'the client was still starting its agent again when it was interrupted');
  const isUsual = end.exit.code === exitCode && linesIn(said(end)).every((line) => lines.has(line) || isOurs(line));
  if (faultOf(end) !== undefined || !isUsual) return survives(stage, done, requirement);
  if (!speaks(stage.habits)) return stage.see.unseen(requirement, untellable);
  complain(stage, done, { requirement, fault: `it was not reported: ${howItEnded(end)}` });
}

/** `held` if the client continued normally: it did its task, and showed later updates if it shows any. */
export function continuesNormally(stage: ClientStage, done: Done, requirement: RequirementId): boolean {
  const { end } = done;
  const fault = faultOf(end) ?? unshown(done) ?? givenUp(stage, end);
  const isUsual = end.exit.code === stage.habits.exitCode && end.stdout.includes(wordsAfter);
  const isKept = fault === undefined && (end.exit.code === 0 || isUsual);
  if (fault !== undefined) complain(stage, done, { requirement, fault });
  else if (isKept) stage.see.held(requirement);
  else stage.see.unseen(requirement, 'the client ends with another exit code than 0 even when nothing is wrong');
  return isKept;
}

const untellable = 'the client prints nothing, whatever happens: it is not visible whether users are informed';

/** A failure without a word breaks R023, if this client has words. */
function judgeSilence(stage: ClientStage, done: Done): void {
  if (!speaks(stage.habits)) return stage.see.unseen('R023', untellable);
  complain(stage, done, { requirement: 'R023', fault: `the client ended without a word: ${howItEnded(done.end)}` });
}

interface Complaint {
  readonly requirement: RequirementId;
  readonly fault: string;
}

function complain({ see }: ClientStage, { agent }: Done, { requirement, fault }: Complaint): void {
  see.broken(requirement, fault, agent.journal.slice(-4));
}

function givenUp({ habits }: ClientStage, end: ClientEnd): string | undefined {
  const isGivenUp = end.exit.code !== 0 && habits.exitCode === 0;
  return isGivenUp ? `the client gave up: ${howItEnded(end)}` : undefined;
}

function unshown({ agent, end: { stdout } }: Done): string | undefined {
  const isSaid = agent.journal.some(({ from, text }) => from === 'agent' && text.includes(wordsAfter));
  const isLost = isSaid && stdout.includes(wordsBefore) && !stdout.includes(wordsAfter);
  return isLost ? 'what the agent said afterwards was not shown' : undefined;
}

/** A failure without a message to the user: no output, but an exit code. */
function isSilent(end: ClientEnd): boolean {
  return end.exit.code !== 0 && said(end).trim() === '';
}

function said({ stdout, stderr }: ClientEnd): string {
  return `${stdout}\n${stderr}`;
}

/** Output from before the failure does not report the failure. */
function isOurs(line: string): boolean {
  return line.includes(wordsBefore);
}
