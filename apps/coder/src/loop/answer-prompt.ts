import type { Turn } from '@agentwire/agent';
import type { StopReason } from '@agentwire/protocol';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { CoderOptions } from '../coder-options.ts';
import type { SessionMemory } from '../session-memory.ts';
import { toolbox } from '../tools/toolbox.ts';
import { modelCallFailed } from './model-failure.ts';
import { remember } from './remember.ts';
import { runLoop } from './run-loop.ts';
import { sessionTitle } from './session-title.ts';
import { systemPrompt } from './system-prompt.ts';
import { userMessage } from './user-message.ts';

const defaultMaxSteps = 100;

/** Answers one prompt, building on what the session remembers. */
export async function answerPrompt(
  turn: Turn<SessionMemory>,
  { model, maxSteps = defaultMaxSteps }: CoderOptions,
): Promise<StopReason> {
  const { workspace, conversation } = turn.session.memory;
  const chosen = await chooseModel(model);
  remember(turn, conversation, userMessage(turn.prompt));
  await nameSession(turn);
  return runLoop(turn, {
    model: chosen,
    tools: toolbox,
    workspace,
    conversation,
    system: systemPrompt(workspace),
    maxSteps,
  });
}

/** A session is called what was asked first, so that people find it in a list. */
async function nameSession({ session, text }: Turn<SessionMemory>): Promise<void> {
  const title = session.title === undefined ? sessionTitle(text) : undefined;
  if (title !== undefined) await session.setTitle(title);
}

async function chooseModel(model: CoderOptions['model']): Promise<LanguageModelV3> {
  if (model === undefined) return (await import('../model/offline/offline-model.ts')).offlineModel;
  if (typeof model !== 'function') return model;
  return model().catch((error: unknown) => {
    throw modelCallFailed('the model', error);
  });
}
