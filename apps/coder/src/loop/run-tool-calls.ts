import type { LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import type { CoderTurn } from '../session/session-memory.ts';
import type { ModelToolCall } from './model-answer.ts';
import { runToolCall, skipToolCall } from './run-tool-call.ts';
import type { ToolOutcome, Tools } from './run-tool-call.ts';

/** The results of the tool calls of one answer. */
export interface ToolCallResults {
  /** One for each call, in the order of the calls. */
  readonly results: readonly LanguageModelV3ToolResultPart[];
  /** How the turn ends. Undefined: it continues. */
  readonly ends: ToolOutcome['ends'];
  /** True if none of the calls was valid. */
  readonly areMalformed: boolean;
}

/** The most calls that run in parallel. */
const widest = 8;

/** Runs the tool calls of one answer in order; consecutive read-only ones run in parallel. */
export async function runToolCalls(
  turn: CoderTurn,
  tools: Tools,
  calls: readonly ModelToolCall[],
): Promise<ToolCallResults> {
  const outcomes: ToolOutcome[] = [];
  for (const batch of batches(calls, tools)) {
    const isOver = outcomes.some(({ ends }) => ends !== undefined);
    const run = (call: ModelToolCall): Promise<ToolOutcome> =>
      isOver ? skipToolCall(call, 'Not run: the turn ended before.') : runToolCall(turn, tools, call);
    outcomes.push(...(await Promise.all(batch.map(run))));
  }
  return collect(calls, outcomes);
}

/** Fails the calls of a cut-off answer: the last one may be incomplete, and so may the task of the others. */
export async function refuseToolCalls(calls: readonly ModelToolCall[]): Promise<ToolCallResults> {
  const reason =
    'Not run: the answer was cut off at its length limit, so this may be incomplete. Do less at once: write long files in parts.';
  const outcomes = await Promise.all(calls.map((call) => skipToolCall(call, reason)));
  return { ...collect(calls, outcomes), areMalformed: true };
}

function batches(calls: readonly ModelToolCall[], tools: Tools): readonly (readonly ModelToolCall[])[] {
  const looks = ({ toolName }: ModelToolCall): boolean => tools.get(toolName)?.effect === 'looks';
  const all: ModelToolCall[][] = [];
  for (const call of calls) {
    const last = all.at(-1);
    if (last && last.length < widest && looks(call) && last.every(looks)) last.push(call);
    else all.push([call]);
  }
  return all;
}

function collect(calls: readonly ModelToolCall[], outcomes: readonly ToolOutcome[]): ToolCallResults {
  const results = outcomes.map(({ output }, index) => ({
    type: 'tool-result' as const,
    toolCallId: calls[index]?.id ?? '',
    toolName: calls[index]?.toolName ?? '',
    output,
  }));
  return {
    results,
    ends: outcomes.find(({ ends }) => ends !== undefined)?.ends,
    areMalformed: outcomes.every(({ isMalformed }) => isMalformed),
  };
}
