import type { PromptFile } from '../prompt-files/find-prompt-files.ts';
import type { SlashCommand } from './slash-command.ts';

/** A prompt in a file as a command: its text is sent to the model, with what is written after the name in it or behind it. */
export function promptFileCommand({ name, description, hint, shown, isSkill, read }: PromptFile): SlashCommand {
  return {
    name,
    description,
    hint,
    run: async (_turn, argument) => {
      const text = withArgument(await read(), argument);
      const source = isSkill ? `Use the skill ${name}. What it names stands beside ${shown}.\n\n` : '';
      return { prompt: [{ type: 'text', text: `${source}${text}` }] };
    },
  };
}

/** `$ARGUMENTS` is all of it, `$1` to `$9` are its words. A text that names none of them has it at its end. */
function withArgument(text: string, argument: string): string {
  const words = argument.split(/\s+/);
  const filled = text.replaceAll(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_, which: string) =>
    which === 'ARGUMENTS' ? argument : (words[Number(which) - 1] ?? ''),
  );
  return filled === text && argument !== '' ? `${text}\n\n${argument}` : filled;
}
