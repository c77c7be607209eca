import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { ChosenModel } from '../model/model.ts';
import { modelFailure } from '../model/model-failure.ts';
import { type Retry, streamModel } from '../model/stream-model.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { AnnouncedCalls } from './announced-calls.ts';
import { AnswerBuilder } from './model-answer.ts';
import type { ModelAnswer } from './model-answer.ts';
import type { Tools } from './run-tool-call.ts';

/**
 * Streams the model's answer to the client: text, thoughts and calls. Never throws: an incomplete answer is
 * returned with its failure, or without one if the turn was cancelled. Its calls are failed then.
 */
export async function streamAnswer(
  turn: CoderTurn,
  { chosen, tools }: { readonly chosen: ChosenModel; readonly tools: Tools },
  call: LanguageModelV3CallOptions,
): Promise<ModelAnswer> {
  const answer = new AnswerBuilder();
  const calls = new AnnouncedCalls(turn, tools);
  const { signal } = turn;
  const notice = ({ message }: Retry): Promise<void> => turn.notice({ severity: 'warning', title: message });
  try {
    for await (const part of streamModel(chosen, call, { signal, onRetry: notice })) {
      signal.throwIfAborted();
      answer.add(part);
      if (part.type === 'text-delta') await turn.say(part.delta);
      else if (part.type === 'reasoning-delta') await turn.think(part.delta);
      else if (part.type === 'tool-input-start' && !part.providerExecuted) calls.begin(part.id, part.toolName);
      else if (part.type === 'tool-call' && !part.providerExecuted) answer.call(part, await calls.whole(part));
    }
    // A begun call that is not part of the answer will never be complete.
    const whole = answer.whole();
    await calls.failAllBut(whole.toolCalls, 'The model began this call and did not finish it; it was not run.');
    return whole;
  } catch (error) {
    await calls.failAllBut(
      [],
      signal.aborted ? 'Cancelled; it was not run.' : 'The answer broke off; this was not run.',
    );
    return answer.partial(calls.size > 0, signal.aborted ? undefined : modelFailure(chosen, error));
  }
}
