import type { Command } from 'commander';
import { distance } from 'fastest-levenshtein';
import { nearest } from '../nearest.ts';
import { commandNames } from './grammar.ts';

/** A first word that is neither a command nor an agent. */
export interface StrayWord {
  readonly word: string;
  readonly next: string | undefined;
  readonly words: readonly string[];
}

/** Refuses a first word that looks like a mistyped command or agent. Any other word starts a prompt. */
export async function strayWord(program: Command, { word, next, words }: StrayWord): Promise<void> {
  if (/\s/.test(word)) return;
  if (next === 'exec' || next === 'sessions')
    program.error(
      `error: there is no agent '${word}'. Give its command with --agent, or see: turnwire agents. ` +
        `To send it as a prompt: turnwire exec ${words.join(' ')}`,
    );
  const { isReserved } = await import('../config/reserved-names.ts');
  if (words.length === 1 && isReserved(word) && !/^(?:hi|hello)$/i.test(word))
    program.error(
      `error: there is no command '${word}'. See turnwire --help${/^log|^sign|^auth/.test(word) ? '; to log in, start a chat with the agent and type /login' : ''}. ` +
        `To send it as a prompt: turnwire exec ${word}`,
    );
  const { agentNames } = await import('../config/agent-names.ts');
  const near = [...new Set([...commandNames, ...agentNames()])].filter((known) => isSlip(word, known));
  if (near.length === 0) return;
  program.error(
    `error: there is no command and no agent '${word}'. Did you mean ${near.join(' or ')}? ` +
      `To send it as a prompt: turnwire exec ${words.join(' ')}`,
  );
}

/** Refuses a word that is not a subcommand of its command. Lists the subcommands, and suggests one. */
export function unknownSubcommand(program: Command, group: string, word: string): never {
  const own = program.commands.find((command) => command.name() === group)?.commands ?? [];
  const names = own.map((command) => command.name());
  const taking = own.find((command) => command.registeredArguments[0]?.argChoices?.includes(word));
  const near = taking ? `${taking.name()} ${word}` : nearest(word, names);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return program.error(`error: ${group} has no command '${word}', only ${names.join(', ')}.${hint}`);
}

/** Refuses to print the help of a command that does not exist: `help nope`, or `nope --help`. */
export function refuseUnknownTopic(program: Command, topic: string | undefined): void {
  if (topic === undefined || program.commands.some((each) => each.name() === topic || each.aliases().includes(topic)))
    return;
  const nested = program.commands.filter(({ commands }) => commands.some((each) => each.name() === topic));
  const names = program.commands.map((each) => each.name());
  const near =
    nested.length > 0 ? nested.map((each) => `${each.name()} ${topic}`) : [nearest(topic, names) ?? []].flat();
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  program.error(`error: there is no command '${topic}'.${hint}`);
}

/** Short names resemble too many words, so for them only two swapped letters count as a typing error. */
function isSlip(word: string, known: string): boolean {
  const isSwapped = word.length > 2 && lettersOf(word) === lettersOf(known) && distance(word, known) <= 2;
  return isSwapped || (known.length > 4 && distance(word, known) <= (known.length > 6 ? 2 : 1));
}

function lettersOf(word: string): string {
  return word.split('').toSorted().join('');
}
