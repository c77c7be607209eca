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
import { limitStopReason } from './turn-limits.ts';
import { offlineId } from '../model/model-options.ts';
import { soon } from '@turnwire/machine/waits';
import { slashCommandOf } from '../commands/run-slash-command.ts';
import { userMessage } from '../prompt/user-message.ts';
import { haveSameLimits } from '../permission/turn-limit.ts';

/**
 * Calls the model, runs its tool calls, and calls it again with their results, until it makes none. The conversation is consistent after
 * every step, even a failed one: each tool call has its result.
 */
export async function runLoop(turn: CoderTurn, loop: Loop): Promise<StopReason> {
  for (;;) {
    const limit = loop.limits.reached;
    if (limit !== undefined) {
      await turn.message(loop.limits.message(limit));
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
    ...(mcp?.tools ?? []),
  ];
  const { allows } = loop;
  // The offline model hires no agent, and must start fast.
  const hireable = allows || loop.chosen.id === offlineId ? [] : ((await turn.session.memory.hireable?.listed()) ?? []);
  const own = allows
    ? all.filter(({ name }) => allows(name))
    : [...all, ...subAgentTools(turn, loop, { run: runLoop, hireable })];
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

/** Adds prompts that arrived during the turn to it, so that the user can steer it. A command waits until the turn is over, and so does a prompt with other limits. */
async function takeSteering(turn: CoderTurn, { chosen, repetition }: Loop): Promise<void> {
  const { conversation } = turn.session.memory;
  const waiting = turn.takeWaiting(
    (sent) => slashCommandOf(turn.session, sent.prompt) === undefined && haveSameLimits(sent, turn),
  );
  // The client gets the steering answer before further updates, which a fast model sends at once.
  if (waiting.length > 0) await new Promise<void>((resolve) => soon(resolve));
  for (const { prompt } of waiting) {
    const message = await userMessage(turn, prompt, chosen);
    if (message.content.length === 0) continue;
    conversation.steer(message, (value) => turn.session.keep(value));
    repetition.forget();
  }
}
