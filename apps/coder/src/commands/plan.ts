import { promptAfterCommand } from './prompt-after-command.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/plan`: goes to mode architect, with what is to be planned. */
export const planCommand: SlashCommand = {
  name: 'plan',
  description: 'Work out a plan before anything is changed (mode architect)',
  hint: '[what to plan]',
  run: async (turn) => {
    await turn.session.setMode('architect');
    const prompt = promptAfterCommand(turn.prompt);
    if (prompt.length > 0) return { prompt };
    await turn.say('Mode **Architect** from now on: I look and plan, and change nothing. What shall I plan?');
    return undefined;
  },
};
