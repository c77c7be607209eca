import { modes } from '../modes/modes.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/mode`: shows the modes, or goes to one. */
export const modeCommand: SlashCommand = {
  name: 'mode',
  description: 'Show the modes, or go to one of them',
  hint: '[ask | code | architect]',
  run: async (turn, argument) => {
    if (argument === '') return turn.say(listing(turn));
    const mode = modes.find(({ id, name }) => id === argument.toLowerCase() || name === argument);
    if (!mode) return turn.say(`There is no mode ${JSON.stringify(argument)}.\n\n${listing(turn)}`);
    await turn.session.setMode(mode.id);
    await turn.say(`Mode **${mode.name}** from now on. ${mode.description}.`);
  },
};

function listing({ session }: CoderTurn): string {
  const lines = modes.map(
    ({ id, description }) => `- \`${id}\`${id === session.modeId ? ' (now)' : ''}: ${description}`,
  );
  return `${lines.join('\n')}\n\n\`/mode NAME\` goes to one of them.`;
}
