import type { Turn } from '@agentwire/agent';
import { ProtocolError } from '@agentwire/protocol';
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { AnswerBuilder } from './model-answer.ts';
import type { ModelAnswer } from './model-answer.ts';
import { modelCallFailed } from '../model/model-failure.ts';

/**
 * Has the model answer, and passes on what it says and thinks as it comes. Never throws: an answer that broke off is
 * returned as far as it got, with the failure, or without one when the turn was cancelled.
 */
export async function streamAnswer(
  turn: Turn,
  model: LanguageModelV3,
  call: LanguageModelV3CallOptions,
): Promise<ModelAnswer> {
  const answer = new AnswerBuilder();
  try {
    const { stream } = await model.doStream(call);
    for await (const part of stream) {
      if (turn.signal.aborted) break;
      await pass(turn, part);
      answer.add(part);
    }
    if (turn.signal.aborted) return answer.partial();
    if (!answer.isFinished) throw new Error('its answer broke off');
    return answer.whole();
  } catch (error) {
    return answer.partial(turn.signal.aborted ? undefined : asFailure(model, error));
  }
}

async function pass(turn: Turn, part: LanguageModelV3StreamPart): Promise<void> {
  if (part.type === 'text-delta') await turn.say(part.delta);
  else if (part.type === 'reasoning-delta') await turn.think(part.delta);
  else if (part.type === 'error') throw part.error;
  else if (part.type === 'finish' && part.finishReason.unified === 'error')
    throw new Error(part.finishReason.raw ?? 'it reported an error');
}

function asFailure({ provider, modelId }: LanguageModelV3, error: unknown): ProtocolError {
  return error instanceof ProtocolError ? error : modelCallFailed(`${provider}/${modelId}`, error);
}
