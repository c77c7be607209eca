import type { StopReason } from '@agentwire/protocol';
import type { CoderOptions } from '../coder-options.ts';
import { sessionTitle } from '../conversation/session-title.ts';
import { systemPrompt } from '../conversation/system-prompt.ts';
import { userMessage } from '../conversation/user-message.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { toolbox } from '../tools/toolbox.ts';
import { runLoop } from './run-loop.ts';

const defaultMaxSteps = 100;

/** Answers one prompt, building on what the session remembers. */
export async function answerPrompt(turn: CoderTurn, { maxSteps = defaultMaxSteps }: CoderOptions): Promise<StopReason> {
  const { workspace, conversation, checkpoints, models, mcp } = turn.session.memory;
  const { model } = await models.open({ model: undefined, thoughtLevel: undefined });
  checkpoints.begin();
  conversation.add(userMessage(turn.prompt), (value) => turn.session.keep(value));
  await nameSession(turn);
  return runLoop(turn, {
    model,
    tools: new Map([...toolbox, ...mcp.tools.map((tool) => [tool.name, tool] as const)]),
    system: systemPrompt(workspace),
    maxSteps,
  });
}

/** A session is called what was asked first, so that people find it in a list. */
async function nameSession({ session, text }: CoderTurn): Promise<void> {
  const title = session.title === undefined ? sessionTitle(text) : undefined;
  if (title !== undefined) await session.setTitle(title);
}
