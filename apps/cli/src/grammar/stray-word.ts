import type { Command } from 'commander';
import { distance } from 'fastest-levenshtein';

/** Refuses a first word that looks like a slip for a command or an agent. Everything else is the beginning of a prompt. */
export async function strayWord(program: Command, word: string, words: readonly string[]): Promise<void> {
  if (/\s/.test(word)) return;
  const { agentNames } = await import('../agent-names.ts');
  const known = [...program.commands.map((command) => command.name()), ...(await agentNames())];
  const near = known.filter((each) => distance(each, word) <= (word.length > 3 ? 2 : 1));
  if (near.length === 0) return;
  program.error(
    `error: there is no command and no agent '${word}'. Did you mean ${near.join(' or ')}? ` +
      `To send it as a prompt: agentwire prompt ${words.join(' ')}`,
  );
}
