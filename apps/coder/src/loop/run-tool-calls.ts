import type { CoderTurn } from '../session/session-memory.ts';
import type { LanguageModelV3ToolResultOutput, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import type { Tool } from '../tools/tool.ts';
import type { ModelToolCall } from './model-answer.ts';
import { runToolCall } from './run-tool-call.ts';
import type { ToolOutcome } from './run-tool-call.ts';

/** What the tool calls of one answer came to. */
export interface ToolCallResults {
  /** One for each call, in the order of the calls. */
  readonly results: readonly LanguageModelV3ToolResultPart[];
  /** The person wants the turn to end: a question was dismissed, or the turn cancelled. */
  readonly dismissed: boolean;
}

/** Runs the tool calls of one answer: side by side if all only look, one after the other if any changes something. */
export async function runToolCalls(
  turn: CoderTurn,
  tools: ReadonlyMap<string, Tool>,
  calls: readonly ModelToolCall[],
): Promise<ToolCallResults> {
  const run = (call: ModelToolCall): Promise<ToolOutcome> =>
    runToolCall(turn, { call, tool: tools.get(call.toolName) });
  const allLook = calls.every(({ toolName }) => tools.get(toolName)?.effect === 'looks');
  return collect(calls, allLook ? await Promise.all(calls.map(run)) : await runInTurn(calls, run));
}

/** Fails the calls of an answer that was cut off. */
export function refuseToolCalls(turn: CoderTurn, calls: readonly ModelToolCall[]): ToolCallResults {
  const reason = 'Not run: the answer was cut off at the length limit, and its input may be incomplete.';
  for (const { toolName } of calls) void turn.tool({ title: toolName, name: toolName }).fail(reason);
  return collect(
    calls,
    calls.map(() => ({ output: { type: 'error-text', value: reason } })),
  );
}

async function runInTurn(
  calls: readonly ModelToolCall[],
  run: (call: ModelToolCall) => Promise<ToolOutcome>,
): Promise<readonly ToolOutcome[]> {
  const outcomes: ToolOutcome[] = [];
  for (const call of calls) {
    if (outcomes.at(-1)?.dismissed) break;
    outcomes.push(await run(call));
  }
  return outcomes;
}

function collect(calls: readonly ModelToolCall[], outcomes: readonly ToolOutcome[]): ToolCallResults {
  const results = calls.map(({ id, toolName }, index) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName,
    output: outcomes[index]?.output ?? notRun,
  }));
  return { results, dismissed: outcomes.some(({ dismissed }) => dismissed) };
}

const notRun: LanguageModelV3ToolResultOutput = { type: 'error-text', value: 'Not run: the turn ended before.' };
