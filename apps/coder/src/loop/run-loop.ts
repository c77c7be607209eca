import type { StopReason } from '@turnwire/protocol';
import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import { fitToModel } from '../conversation/fit-to-model.ts';
import { applyPatchTool, writesPatches } from '../patch/apply-patch.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { toolbox } from '../tools/toolbox.ts';
import { webSearchTool } from '../tools/web-search.ts';
import { finishStep } from './finish-step.ts';
import type { Loop } from './loop.ts';
import { fitContext } from './fit-context.ts';
import type { Tools } from './run-tool-call.ts';
import { streamAnswer } from './stream-answer.ts';
import { subAgentTools } from './sub-agents.ts';
import { takeSteering } from './take-steering.ts';
import { limitStopReason } from './turn-limits.ts';

/**
 * Calls the model, runs its tool calls, and calls it again with their results, until it makes none.
 * The conversation is consistent after every step, whatever happens in it: each tool call has its result.
 */
export async function runLoop(turn: CoderTurn, loop: Loop): Promise<StopReason> {
  for (;;) {
    const limit = loop.limits.reached;
    if (limit !== undefined) {
      await turn.message(loop.limits.words(limit));
      return limitStopReason(limit);
    }
    const reason = await step(turn, loop);
    turn.session.memory.files.keepNew((value) => turn.session.keep(value));
    if (reason !== undefined) return reason;
    if (turn.signal.aborted) return 'cancelled';
    await takeSteering(turn, loop);
  }
}

/** One answer and its tool calls. Returns the stop reason if the turn ends. */
async function step(turn: CoderTurn, loop: Loop): Promise<StopReason | undefined> {
  // A server may have connected or ended, and with it its tools.
  const { mcp, settings } = turn.session.memory;
  const all = [
    ...toolbox.values(),
    ...(settings.webSearch ? [webSearchTool(settings.webSearch)] : []),
    ...(writesPatches(loop.chosen.id) ? [applyPatchTool] : []),
    ...mcp.tools,
  ];
  const { allows } = loop;
  const own = allows ? all.filter(({ name }) => allows(name)) : [...all, ...subAgentTools(turn, loop, runLoop)];
  const tools = new Map(own.map((tool) => [tool.name, tool]));
  await fitContext(turn, loop, tools);
  if (turn.signal.aborted) return 'cancelled';
  const answer = await streamAnswer(turn, { chosen: loop.chosen, tools }, requestOf(turn, loop, tools));
  return finishStep(turn, loop, { answer, tools });
}

function requestOf(turn: CoderTurn, { system, chosen }: Loop, tools: Tools): LanguageModelV3CallOptions {
  const { messages } = turn.session.memory.conversation;
  return {
    prompt: [{ role: 'system', content: system() }, ...fitToModel(messages, chosen.takes)],
    tools: [...tools.values()].map((tool) => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      get inputSchema() {
        return tool.inputSchema;
      },
    })),
  };
}
