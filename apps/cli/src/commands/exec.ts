import type { FrameTap } from '@turnwire/client';
import { agentCommand } from '../driving/agent-command.ts';
import { contentOf, type Draft } from '../driving/prompt-content.ts';
import { howToLogIn } from '../driving/terminal-login.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, warn, explain, whereFrom } from '../failure.ts';
import { PrintedSession } from '../sessions/printed-session.ts';
import { runTurn } from '../sessions/run-turn.ts';
import { chooseOptions } from '../sessions/session-port.ts';
import type { GlobalOptions } from '../options.ts';
import { inPlace } from '../session-places/in-place.ts';
import { openScreen } from '../output/turn-screen.ts';
import { requireEnforceablePolicy } from '../permission/require-enforceable-policy.ts';
import { RecentSessions } from '../store/recent-sessions.ts';
import { Stopping } from '../stopping.ts';
import type { Continued, ContinueArguments } from './continued-session.ts';
import type { AnswerArguments, RunsTurn, WantedAnswer } from './wanted-answer.ts';

/** A turn in a new session, which ends with the command, or in an earlier one. */
export interface ExecArguments extends ContinueArguments, AnswerArguments {
  readonly draft: Draft;
  /** Options to set first, as `key=value`. */
  readonly configOptions: readonly string[];
}

/** Runs one turn and prints it. Resolves with the exit code. */
export async function exec(given: ExecArguments, asked: GlobalOptions): Promise<number> {
  const { draft, configOptions } = given;
  const answer = await wanted(given);
  const { options, session: earlier } = await continued(given, asked);
  await using _use = options.placeUse;
  const { cwd, addDir: additionalDirectories } = options;
  const command = await agentCommand(options, { getsMissing: true, isOneTurn: true });
  requireEnforceablePolicy(command.differences, options.permission, cwd);
  if (options.maxCost !== undefined && !(await new RecentSessions().isCostKnown(command.choice)))
    warn('--max-cost may have no effect: this agent has not reported a cost yet');
  using stopping = new Stopping(options.timeout);
  const screen = await openScreen(options, stopping);
  let exitCode: number = exitCodes.error;
  // The answer to the prompt is the last frame that is shown.
  let isOver = false;
  const tap: FrameTap = (_, frame) => (isOver ? undefined : screen.frame(frame));
  const session = new PrintedSession({
    ...{ options, command, agentSessionId: earlier?.sessionId, usedBy: 'exec' },
    screen: answer.observed(screen),
    ...(options.format === 'json' && { tap }),
  });
  try {
    await session.open(stopping.signal);
    await chooseOptions(session, configOptions);
    const content = await contentOf(draft, session.agent, { cwd, additionalDirectories });
    const run: RunsTurn = (blocks, end = () => screen.end()) => runTurn(session, blocks, { stopping, end });
    exitCode = await answer.turn(content, { run, isQuiet: options.format === 'quiet' });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { agent } = session;
    if (!stopping.reason)
      warn(`${explain(error, agent)}${whereFrom(error, options)}${howToLogIn(error, agent, command)}`);
  } finally {
    isOver = true;
    await session[Symbol.asyncDispose]();
  }
  // Checked last: the output may fail until the end.
  if (stopping.reason?.message !== undefined) warn(stopping.reason.message);
  return stopping.reason?.exitCode ?? exitCode;
}

async function continued(given: ContinueArguments, options: GlobalOptions): Promise<Continued> {
  if (given.continue === undefined && given.resume === undefined) return { options: await inPlace(options) };
  // Imported on demand: most runs begin a new session.
  return (await import('./continued-session.ts')).continuedSession(given, options);
}

/** Most runs only print the answer. */
async function wanted(given: AnswerArguments): Promise<Pick<WantedAnswer, 'observed' | 'turn'>> {
  if (given.outputLastMessage === undefined && given.outputSchema === undefined)
    return { observed: (screen) => screen, turn: (content, { run }) => run(content) };
  const answer = new (await import('./wanted-answer.ts')).WantedAnswer(given);
  await answer.check();
  return answer;
}
