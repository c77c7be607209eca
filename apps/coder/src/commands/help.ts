import type { CoderSession } from '../session/session-memory.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/help`: what the user can have the agent do. */
export function helpCommand(commandsOf: (session: CoderSession) => readonly SlashCommand[]): SlashCommand {
  return {
    name: 'help',
    description: 'Show what there is to command',
    run: async (turn) => {
      const lines = commandsOf(turn.session).map(helpLine);
      await turn.say(`${lines.join('\n')}\n\nEverything else you write goes to the model.`);
    },
  };
}

function helpLine({ name, hint, description }: SlashCommand): string {
  return `- \`/${name}${hint === undefined ? '' : ` ${hint}`}\`: ${description}`;
}
