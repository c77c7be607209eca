import type { StopReason } from '@agentwire/protocol';
import type { LanguageModelV3, LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider';
import type { Tool } from '../tools/tool.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { streamAnswer } from './stream-answer.ts';
import type { ModelAnswer } from './model-answer.ts';
import { refuseToolCalls, runToolCalls } from './run-tool-calls.ts';

/** What a turn of the loop works with. */
export interface Loop {
  readonly model: LanguageModelV3;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly system: string;
  /** Answers of the model, after which the turn ends. */
  readonly maxSteps: number;
}

/**
 * Asks the model, runs the tools it calls, and asks again with their results, until it calls none.
 * The conversation is whole after every step, whatever happens in it: each tool call has its result.
 */
export async function runLoop(turn: CoderTurn, loop: Loop): Promise<StopReason> {
  for (let step = 0; step < loop.maxSteps; step++) {
    const answer = await streamAnswer(turn, loop.model, {
      prompt: [{ role: 'system', content: loop.system }, ...turn.session.memory.conversation.messages],
      tools: [...loop.tools.values()].map(functionTool),
      abortSignal: turn.signal,
    });
    const reason = await finishStep(turn, loop, answer);
    if (reason !== undefined) return reason;
  }
  return 'max_turn_requests';
}

/** Acts on an answer. Gives the reason to end the turn, if there is one. */
async function finishStep(turn: CoderTurn, loop: Loop, answer: ModelAnswer): Promise<StopReason | undefined> {
  const add = (message: LanguageModelV3Message): void =>
    turn.session.memory.conversation.add(message, (value) => turn.session.keep(value));
  if (answer.content.length > 0) add({ role: 'assistant', content: [...answer.content] });
  if (answer.failure) throw answer.failure;
  if (turn.signal.aborted) return 'cancelled';
  if (answer.toolCalls.length > 0) {
    // A call cut off at the length limit may be the beginning of another one.
    const cut = answer.finishReason === 'length';
    const { results, dismissed } = cut
      ? refuseToolCalls(turn, answer.toolCalls)
      : await runToolCalls(turn, loop.tools, answer.toolCalls);
    add({ role: 'tool', content: [...results] });
    if (dismissed) return 'cancelled';
  }
  return stopReasonOf(answer);
}

function stopReasonOf({ finishReason, toolCalls }: ModelAnswer): StopReason | undefined {
  if (finishReason === 'length') return 'max_tokens';
  if (finishReason === 'content-filter') return 'refusal';
  return toolCalls.length > 0 ? undefined : 'end_turn';
}

function functionTool({ name, description, inputSchema }: Tool): LanguageModelV3FunctionTool {
  return { type: 'function', name, description, inputSchema };
}
