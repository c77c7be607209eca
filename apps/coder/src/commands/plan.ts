import type { ContentBlock } from '@turnwire/protocol';
import type { SlashCommand } from './slash-command.ts';

/** `/plan`: switches to the mode architect, with a task to plan. */
export const planCommand: SlashCommand = {
  name: 'plan',
  description: 'Work out a plan before anything is changed (mode architect)',
  hint: '[what to plan]',
  run: async (turn) => {
    await turn.session.setMode('architect');
    const prompt = promptAfterCommand(turn.prompt);
    if (prompt.length > 0) return { prompt };
    await turn.say('The mode is now **Architect**: I read and plan, and change nothing. What should I plan?');
    return undefined;
  },
};

/** A prompt without the command it begins with; attachments stay. */
function promptAfterCommand([first, ...rest]: readonly ContentBlock[]): readonly ContentBlock[] {
  if (first?.type !== 'text') return rest;
  const text = first.text.replace(/^\s*\/\S+\s*/u, '');
  return text === '' ? rest : [{ ...first, text }, ...rest];
}
