import type { Command } from 'commander';
import { distance } from 'fastest-levenshtein';

/** A first word that is neither a command nor an agent. */
export interface StrayWord {
  readonly word: string;
  readonly next: string | undefined;
  readonly words: readonly string[];
}

/** Refuses a first word that looks like a slip for a command or an agent. Everything else is the beginning of a prompt. */
export async function strayWord(program: Command, { word, next, words }: StrayWord): Promise<void> {
  if (/\s/.test(word)) return;
  if (next === 'exec' || next === 'sessions')
    program.error(
      `error: there is no agent '${word}'. Give its command with --agent, or see: agentwire agents. ` +
        `To send it as a prompt: agentwire prompt ${words.join(' ')}`,
    );
  const { agentNames } = await import('../agent-names.ts');
  const commands = program.commands.map((command) => command.name());
  const near = [...new Set([...commands, ...agentNames()])].filter((known) => isSlip(word, known));
  if (near.length === 0) return;
  program.error(
    `error: there is no command and no agent '${word}'. Did you mean ${near.join(' or ')}? ` +
      `To send it as a prompt: agentwire prompt ${words.join(' ')}`,
  );
}

/** Short names are too near to too many words: of them only two letters in the wrong order are a slip. */
function isSlip(word: string, known: string): boolean {
  const isSwapped = word.length > 2 && lettersOf(word) === lettersOf(known) && distance(word, known) <= 2;
  return isSwapped || (known.length > 4 && distance(word, known) <= (known.length > 6 ? 2 : 1));
}

function lettersOf(word: string): string {
  return word.split('').toSorted().join('');
}
