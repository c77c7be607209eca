import { ProtocolError, turnwireMeta } from '@turnwire/protocol';
import type { PromptEnd } from '@turnwire/agent';
import type { ContentBlock, StopReason } from '@turnwire/protocol';
import { runSlashCommand } from '../commands/run-slash-command.ts';
import { attachmentTitle, sessionTitle } from '../prompt/session-title.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import { userMessage } from '../prompt/user-message.ts';
import type { ChosenModel } from '../model/model.ts';
import { modelChoice } from '../model/model-choice.ts';
import { offlineId } from '../model/model-options.ts';
import { offlineIntroduction } from '../model/offline/answers.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { ContextBudget } from '../compaction/context-budget.ts';
import { turnUsage } from '../session/count-usage.ts';
import { chosenLimits } from '../session/limit-options.ts';
import { RepetitionGuard } from './repetition-guard.ts';
import { runLoop } from './run-loop.ts';
import { TurnLimits } from './turn-limits.ts';
import { TurnDefects } from './turn-defects.ts';

/** Answers one prompt in its session: a command by itself, any other prompt with the model. */
export async function answerPrompt(turn: CoderTurn): Promise<PromptEnd> {
  const { permissions, settingsWarnings } = turn.session.memory;
  permissions.beginTurn(turn);
  for (const title of settingsWarnings.splice(0)) await turn.notice({ severity: 'warning', title });
  const outcome = await runSlashCommand(turn);
  if (outcome && 'stopReason' in outcome) return outcome.stopReason;
  return askModel(turn, outcome?.prompt ?? turn.prompt);
}

async function askModel(turn: CoderTurn, prompt: readonly ContentBlock[]): Promise<PromptEnd> {
  const { conversation, turnFiles, mcp, permissions, usage } = turn.session.memory;
  const chosen = await openModel(turn);
  if (chosen.warning !== undefined) await turn.notice({ severity: 'warning', title: chosen.warning });
  await mcp?.enter(turn, { mayConsent: permissions.changesForbidden === undefined });
  const limits = chosenLimits(turn.session);
  if (Number.isFinite(limits.cost) && !chosen.price) await warnAboutUnknownPrice(turn, chosen);
  const system = await systemPrompt(turn);
  const message = await userMessage(turn, prompt, chosen);
  if (turn.signal.aborted) return 'cancelled';
  // A provider would refuse every later call of a conversation with an empty prompt in it.
  if (message.content.length === 0) {
    await turn.message('The prompt is empty, so the model was not called.');
    return 'end_turn';
  }
  const before = usage.tokens;
  const keep = (value: unknown): Promise<void> => turn.session.keep(value);
  void conversation.add(message, keep);
  turnFiles.begin({
    recordedTurn: recordedTurn(turn),
    prompt: turn.text,
    keep: (entry) => conversation.recordFiles(entry, keep),
  });
  // Users find a session in a list by its first prompt.
  if (turn.session.title === undefined)
    await turn.session.setTitle(sessionTitle(turn.text) ?? attachmentTitle(turn.prompt));
  let stopReason: StopReason;
  try {
    stopReason = await runLoop(turn, {
      chosen,
      system,
      limits: new TurnLimits(limits),
      warnings: new TurnDefects(),
      repetition: new RepetitionGuard(),
      budget: new ContextBudget(),
    });
  } finally {
    await turnFiles.end();
  }
  return answerOf(turn, { stopReason, chosen, used: turnUsage(turn.session, before) });
}

function answerOf(
  { session }: CoderTurn,
  {
    stopReason,
    chosen,
    used,
  }: { readonly stopReason: StopReason; readonly chosen: ChosenModel; readonly used: object | undefined },
): PromptEnd {
  const { conversation } = session.memory;
  // Scripts can detect by `_meta` that the prompt was not understood.
  const isUnderstood = !JSON.stringify(conversation.messages.at(-1) ?? '').includes(offlineIntroduction);
  return {
    stopReason,
    ...(used && { usage: used }),
    ...(chosen.id === offlineId && !isUnderstood && { _meta: { noModel: true } }),
  };
}

/** The id under which the client records the turn. */
function recordedTurn({ meta }: CoderTurn): string | undefined {
  const { recordedTurn: id } = turnwireMeta<'session/prompt'>(meta);
  return typeof id === 'string' ? id : undefined;
}

/** Some clients do not show an error that answers a prompt. */
async function openModel(turn: CoderTurn): Promise<ChosenModel> {
  try {
    return await turn.session.memory.models.open(modelChoice(turn.session));
  } catch (error) {
    if (error instanceof ProtocolError && !turn.signal.aborted) await turn.message(error.message);
    throw error;
  }
}

async function warnAboutUnknownPrice(turn: CoderTurn, { id }: ChosenModel): Promise<void> {
  await turn.notice({
    severity: 'warning',
    title: `The price of ${id} is not known, so the cost limit cannot be applied.`,
  });
}
