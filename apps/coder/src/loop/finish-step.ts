import { errorCodes, ProtocolError } from '@turnwire/protocol';
import type { StopReason } from '@turnwire/protocol';
import type { LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import type { Keep } from '../conversation/conversation.ts';
import type { ModelFailure } from '../model/model-failure.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { countAnswer } from './count-usage.ts';
import type { Loop } from './loop.ts';
import { shrinkAfterOverflow } from './fit-context.ts';
import type { ModelAnswer } from './model-answer.ts';
import { skipToolCall } from './run-tool-call.ts';
import type { Tools } from './run-tool-call.ts';
import { refuseToolCalls, runToolCalls } from './run-tool-calls.ts';

/** An answer, and the tools the model had. */
export interface Step {
  readonly answer: ModelAnswer;
  readonly tools: Tools;
}

/** Acts on an answer. Gives the reason to end the turn, if there is one. @throws ProtocolError when the model failed */
export async function finishStep(turn: CoderTurn, loop: Loop, step: Step): Promise<StopReason | undefined> {
  const { answer } = step;
  const { conversation } = turn.session.memory;
  // What is nothing but thought cannot be given back to every provider.
  const isKept = answer.toolCalls.length > 0 || saysWords(answer);
  // Before a tool runs it is on the disk that it was called: whoever continues after a crash knows that it may have run.
  if (isKept) await conversation.add({ role: 'assistant', content: [...answer.content] }, keepOf(turn));
  await countAnswer(turn, loop, answer);
  if (answer.failure) return afterFailure(turn, loop, { answer, failure: answer.failure });
  if (answer.finishReason === 'content-filter') return afterRefusal(turn, answer);
  if (answer.toolCalls.length > 0) return afterCalls(turn, loop, step);
  if (turn.signal.aborted) return 'cancelled';
  return afterWords(turn, loop, answer);
}

async function afterFailure(
  turn: CoderTurn,
  loop: Loop,
  { answer, failure }: { readonly answer: ModelAnswer; readonly failure: ModelFailure },
): Promise<undefined> {
  const { reason, retryable } = failure.data;
  if (reason === 'context-overflow' && (await shrinkAfterOverflow(turn, loop))) return undefined;
  // What was not seen was asked for again already.
  const isWorthIt = answer.isSeen && retryable && loop.warnings.again('broke-off');
  if (!isWorthIt || turn.signal.aborted) throw await told(turn, failure);
  await turn.notice({ severity: 'warning', title: `${failure.brief}; asking the model to go on.` });
  steer(turn, saysWords(answer) ? goOnWriting : goOn);
  return undefined;
}

async function afterRefusal(turn: CoderTurn, answer: ModelAnswer): Promise<StopReason> {
  await Promise.all(answer.toolCalls.map((call) => skipToolCall(call, 'Not run: the answer was withheld.')));
  // By the protocol the prompt is no part of what comes next, and a model that refused once would go on refusing.
  turn.session.memory.conversation.forgetLastTurn(keepOf(turn));
  await turn.message(
    'The model refused to answer. What was said in this turn is not part of the conversation any more.',
  );
  return 'refusal';
}

async function afterCalls(turn: CoderTurn, loop: Loop, { answer, tools }: Step): Promise<StopReason | undefined> {
  const { toolCalls, finishReason } = answer;
  const isCut = finishReason === 'length';
  const done = isCut ? await refuseToolCalls(toolCalls) : await runToolCalls(turn, tools, toolCalls);
  // Calls that were cut off are refused alike, whatever they were: that is no repetition.
  const repetition = isCut ? 'none' : loop.repetition.look(toolCalls, done.results);
  const results = repetition === 'none' ? done.results : done.results.map(withWarning);
  void turn.session.memory.conversation.add({ role: 'tool', content: [...results] }, keepOf(turn));
  if (turn.signal.aborted) return 'cancelled';
  if (done.ends !== undefined) return done.ends;
  if (repetition === 'stop') return stop(turn, 'max_turn_requests', sameAgain);
  if (!done.areMalformed) loop.warnings.clear();
  else if (!loop.warnings.again('malformed')) return stop(turn, isCut ? 'max_tokens' : 'max_turn_requests', notCalls);
  return undefined;
}

async function afterWords(turn: CoderTurn, loop: Loop, answer: ModelAnswer): Promise<StopReason | undefined> {
  if (answer.finishReason === 'length') return stop(turn, 'max_tokens', cutOff);
  if (saysWords(answer)) return 'end_turn';
  if (!loop.warnings.again('empty')) throw await told(turn, emptyAnswers(loop));
  steer(turn, 'Your answer was empty. Go on, or say in a few words what came of it.');
  return undefined;
}

async function stop(turn: CoderTurn, reason: StopReason, why: string): Promise<StopReason> {
  await turn.message(why);
  return reason;
}

/** Tells the user about an error that ends the turn: some clients show nothing of what answers a prompt. */
async function told(turn: CoderTurn, error: ProtocolError): Promise<ProtocolError> {
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

function saysWords({ content }: ModelAnswer): boolean {
  return content.some((part) => part.type === 'text' && part.text.trim() !== '');
}

function withWarning(result: LanguageModelV3ToolResultPart): LanguageModelV3ToolResultPart {
  const { output } = result;
  return 'value' in output && typeof output.value === 'string'
    ? { ...result, output: { ...output, value: `${output.value}\n\n${nothingNew}` } as typeof output }
    : result;
}

const goOnWriting =
  'Your answer broke off there. Go on exactly where it stopped, without saying anything twice. No tool was run.';
const goOn = 'Your answer broke off before it was whole. No tool was run. Answer again.';
const nothingNew =
  '[You have done exactly this several times, with the same result. Doing it again will not help: do something else, or say what keeps you.]';
const sameAgain =
  'Stopped: the model made the same tool calls with the same results five times in a row. Tell it what to do differently, or choose another model.';
const notCalls =
  'Stopped: five answers of the model in a row had tool calls that could not be run. Ask for less at once, or choose another model.';
const cutOff = 'The answer was cut off at the length limit of the model. Say “go on” for the rest.';
