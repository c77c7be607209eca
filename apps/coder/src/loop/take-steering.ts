import { soon } from '@turnwire/machine/waits';
import { slashCommandOf } from '../commands/run-slash-command.ts';
import { userMessage } from '../prompt/user-message.ts';
import { haveSameLimits } from '../permission/turn-limit.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { Loop } from './loop.ts';

/** Adds prompts that arrived during the turn to it, so that the user can steer it. A command waits until the turn is over, and so does a prompt with other limits. */
export async function takeSteering(turn: CoderTurn, { chosen, repetition }: Loop): Promise<void> {
  const { conversation } = turn.session.memory;
  const waiting = turn.takeWaiting(
    (sent) => slashCommandOf(turn.session, sent.prompt) === undefined && haveSameLimits(sent, turn),
  );
  // Clients learn of it before they read what is said next, which models that are quick begin at once.
  if (waiting.length > 0) await new Promise<void>((resolve) => soon(resolve));
  for (const { prompt } of waiting) {
    const message = await userMessage(turn, prompt, chosen);
    if (message.content.length === 0) continue;
    conversation.steer(message, (value) => turn.session.keep(value));
    repetition.forget();
  }
}
