import { errorCodes, ProtocolError } from '@turnwire/protocol';
import type { StopReason } from '@turnwire/protocol';
import type { LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import type { Keep } from '../conversation/conversation.ts';
import type { ModelFailure } from '../model/model-failure.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { Loop } from './loop.ts';
import { shrinkAfterOverflow } from './fit-context.ts';
import type { ModelAnswer } from './model-answer.ts';
import { skipToolCall } from './run-tool-call.ts';
import type { Tools } from './run-tool-call.ts';
import { refuseToolCalls, runToolCalls } from './run-tool-calls.ts';
import { omitFiles } from '../conversation/omit-files.ts';
import { estimateTokens } from '../conversation/estimate-tokens.ts';
import { countSpent, reportUsage } from '../session/count-usage.ts';
import type { Spent } from '../session/session-usage.ts';

/** An answer, and the tools the model was offered. */
export interface Step {
  readonly answer: ModelAnswer;
  readonly tools: Tools;
}

/** Acts on an answer. Returns the stop reason if the turn ends. @throws ProtocolError if the model failed */
export async function finishStep(turn: CoderTurn, loop: Loop, step: Step): Promise<StopReason | undefined> {
  const { answer } = step;
  const { conversation } = turn.session.memory;
  // Not every provider accepts an answer of only thoughts in the conversation.
  const isKept = answer.toolCalls.length > 0 || hasText(answer);
  // The call is stored before its tool runs, so that a session loaded after a crash shows that it may have run.
  if (isKept) await conversation.add({ role: 'assistant', content: [...answer.content] }, keepOf(turn));
  await countAnswer(turn, loop, answer);
  if (answer.failure) return afterFailure(turn, loop, { answer, failure: answer.failure });
  if (answer.finishReason === 'content-filter') return afterRefusal(turn, answer);
  if (answer.toolCalls.length > 0) return afterCalls(turn, loop, step);
  if (turn.signal.aborted) return 'cancelled';
  return afterText(turn, loop, answer);
}

async function afterFailure(
  turn: CoderTurn,
  loop: Loop,
  { answer, failure }: { readonly answer: ModelAnswer; readonly failure: ModelFailure },
): Promise<undefined> {
  const { reason, retryable } = failure.data;
  if (reason === 'context-overflow' && (await shrinkAfterOverflow(turn, loop))) return undefined;
  if (reason === 'bad-request' && !answer.isSeen && (await leaveOutFiles(turn, failure)) === 'tools') return undefined;
  // An answer without visible parts has been retried already.
  const isWorthIt = answer.isSeen && retryable && loop.warnings.again('broke-off');
  if (!isWorthIt || turn.signal.aborted) throw await showError(turn, failure);
  await turn.notice({ severity: 'warning', title: `${failure.brief}; asking the model to continue.` });
  steer(turn, hasText(answer) ? goOnWriting : goOn);
  return undefined;
}

async function afterRefusal(turn: CoderTurn, answer: ModelAnswer): Promise<StopReason> {
  await Promise.all(answer.toolCalls.map((call) => skipToolCall(call, 'Not run: the answer was withheld.')));
  // The protocol drops the prompt from later context, and a model that refused once would keep refusing.
  turn.session.memory.conversation.forgetLastTurn(keepOf(turn));
  await turn.message('The model refused to answer. This turn is no longer part of the conversation.');
  return 'refusal';
}

async function afterCalls(turn: CoderTurn, loop: Loop, { answer, tools }: Step): Promise<StopReason | undefined> {
  const { toolCalls, finishReason } = answer;
  const isCut = finishReason === 'length';
  const done = isCut ? await refuseToolCalls(toolCalls) : await runToolCalls(turn, tools, toolCalls);
  // Cut-off calls are all refused in the same way: that is not a repetition.
  const repetition = isCut ? 'none' : loop.repetition.check(toolCalls, done.results);
  const results = repetition === 'none' ? done.results : done.results.map(withWarning);
  void turn.session.memory.conversation.add({ role: 'tool', content: [...results] }, keepOf(turn));
  if (turn.signal.aborted) return 'cancelled';
  if (done.ends !== undefined) return done.ends;
  if (repetition === 'stop') return stop(turn, 'max_turn_requests', sameAgain);
  if (!done.areMalformed) loop.warnings.clear();
  else if (!loop.warnings.again('malformed')) return stop(turn, isCut ? 'max_tokens' : 'max_turn_requests', notCalls);
  return undefined;
}

async function afterText(turn: CoderTurn, loop: Loop, answer: ModelAnswer): Promise<StopReason | undefined> {
  if (answer.finishReason === 'length') return stop(turn, 'max_tokens', cutOff);
  if (hasText(answer)) return 'end_turn';
  if (!loop.warnings.again('empty')) throw await showError(turn, emptyAnswers(loop));
  steer(turn, 'Your answer was empty. Continue, or report the result in a few words.');
  return undefined;
}

async function stop(turn: CoderTurn, reason: StopReason, why: string): Promise<StopReason> {
  await turn.message(why);
  return reason;
}

/** Shows the user an error that ends the turn: some clients do not show an error that answers a prompt. */
async function showError(turn: CoderTurn, error: ProtocolError): Promise<ProtocolError> {
  await turn.message(error.message);
  return error;
}

function emptyAnswers({ chosen }: Loop): ProtocolError {
  const message = `The model ${chosen.id} gave three empty answers in a row. Ask again, or choose another model.`;
  return new ProtocolError(errorCodes.internalError, message, { model: chosen.id, reason: 'empty-answer' });
}

function steer(turn: CoderTurn, text: string): void {
  turn.session.memory.conversation.steer({ role: 'user', content: [{ type: 'text', text }] }, keepOf(turn));
}

function keepOf({ session }: CoderTurn): Keep {
  return (value) => session.keep(value);
}

function hasText({ content }: ModelAnswer): boolean {
  return content.some((part) => part.type === 'text' && part.text.trim() !== '');
}

function withWarning(result: LanguageModelV3ToolResultPart): LanguageModelV3ToolResultPart {
  const { output } = result;
  return 'value' in output && typeof output.value === 'string'
    ? { ...result, output: { ...output, value: `${output.value}\n\n${nothingNew}` } as typeof output }
    : result;
}

const goOnWriting =
  'Your answer broke off there. Continue exactly where it stopped, without repeating anything. No tool was run.';
const goOn = 'Your answer broke off before it was complete. No tool was run. Answer again.';
const nothingNew =
  '[You have done exactly this several times, with the same result. Doing it again will not help: do something else, or report what prevents you.]';
const sameAgain =
  'Stopped: the model made the same tool calls with the same results five times in a row. Give it other instructions, or choose another model.';
const notCalls =
  'Stopped: five answers in a row had only tool calls that cannot be run. Ask for less at once, or choose another model.';
const cutOff = 'The answer was cut off at the length limit of the model. Send “go on” for the rest.';

/**
 * Removes the files that may be the reason for a provider's refusal, since it would refuse every later request too: the files that no
 * earlier request contained; without such files, and if the error mentions a file, all of them.
 * @returns the source of the files; undefined if none was removed
 */
async function leaveOutFiles(turn: CoderTurn, failure: ModelFailure): Promise<'user' | 'tools' | undefined> {
  const { conversation } = turn.session.memory;
  const { messages } = conversation;
  const fresh = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  const namesFile = /image|picture|media|document|pdf|audio/i.test(failure.message);
  const from = [fresh, ...(namesFile ? [0] : [])].find((index) => omitFiles(messages, index) !== messages);
  if (from === undefined) return undefined;
  const changed = omitFiles(messages, from);
  const isOfUser = messages.some((message, index) => message !== changed[index] && message.role === 'user');
  conversation.omitFiles(from, (value) => turn.session.keep(value));
  await turn.notice({
    severity: 'warning',
    title: `The provider of the model refused the request, perhaps because of ${isOfUser ? 'an attachment' : 'an image that a tool returned'}, which is left out from now on.`,
  });
  return isOfUser ? 'user' : 'tools';
}

/** Counts the usage of an answer and sends the client the context usage and the cost of the session. */
async function countAnswer(turn: CoderTurn, { chosen, limits }: Loop, { usage, content }: ModelAnswer): Promise<void> {
  limits.step();
  const { conversation } = turn.session.memory;
  const written = estimateTokens([{ role: 'assistant', content: [...content] }]);
  if (usage === undefined) {
    limits.spend({ ...nothing, output: written });
    return;
  }
  const spent = countSpent(turn.session, chosen, usage);
  // Many local servers do not report output tokens.
  limits.spend({ ...spent, output: spent.output || written });
  if (spent.input > 0) conversation.meter.measured(spent.input + spent.output, conversation.messages.length);
  await reportUsage(turn, chosen);
}

const nothing: Spent = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, cost: undefined };
