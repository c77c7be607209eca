import type { CoderSession } from '../session/session-memory.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/help`: lists the commands. */
export function helpCommand(commandsOf: (session: CoderSession) => readonly SlashCommand[]): SlashCommand {
  return {
    name: 'help',
    description: 'List the commands',
    run: async (turn) => {
      const lines = commandsOf(turn.session).map(
        ({ name, hint, description }) => `- \`/${name}${hint === undefined ? '' : ` ${hint}`}\`: ${description}`,
      );
      await turn.say(`${lines.join('\n')}\n\nEvery other prompt goes to the model.`);
    },
  };
}
