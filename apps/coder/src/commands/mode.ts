import { modes } from '../modes/modes.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/mode`: shows the modes, or switches to one. */
export const modeCommand: SlashCommand = {
  name: 'mode',
  description: 'Show the modes, or switch to one',
  hint: '[ask | code | architect]',
  run: async (turn, argument) => {
    if (argument === '') return turn.say(listing(turn));
    const mode = modes.find(({ id, name }) => id === argument.toLowerCase() || name === argument);
    if (!mode) return turn.say(`There is no mode ${JSON.stringify(argument)}.\n\n${listing(turn)}`);
    await turn.session.setMode(mode.id);
    await turn.say(`The mode is now **${mode.name}**. ${mode.description}.`);
  },
};

function listing({ session }: CoderTurn): string {
  const lines = modes.map(
    ({ id, description }) => `- \`${id}\`${id === session.modeId ? ' (now)' : ''}: ${description}`,
  );
  return `${lines.join('\n')}\n\n\`/mode NAME\` switches to one of them.`;
}
