import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { candidatesWord } from './completion/shell-scripts.ts';
import { exitCodes } from './exit-codes.ts';
import { arrangeWords, wordPositions } from './grammar/arrange-words.ts';
import { commandNames, Grammar } from './grammar/grammar.ts';
import { refuseUnknownTopic, strayWord, unknownSubcommand } from './grammar/stray-word.ts';
import { Invocation } from './grammar/invocation.ts';
import { stderr } from './terminal/output.ts';
import { folderIn, isHelp } from './unparsed-words.ts';

/** Parses the command line and runs the command. Resolves with the exit code. */
export async function run(given: readonly string[]): Promise<number> {
  const invocation = new Invocation(commandNames);
  invocation.showsAllHelp = given.includes('--help-all');
  const words = given.map((word) => (word === '--help-all' ? '--help' : word));
  const grammar = new Grammar(invocation);
  if (isHelp(words) || words[0] === candidatesWord) grammar.buildAll();
  try {
    const line = await arranged(grammar, words, invocation);
    grammar.command(line[0] ?? '');
    await invocation.program.parseAsync(line, { from: 'user' });
    return invocation.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    stderr.printLine(`turnwire: ${String((error as Error).stack ?? error)}`);
    return exitCodes.error;
  }
}

/** The words in the order the parser expects: the command first, and the agent's name removed. */
async function arranged(
  grammar: Grammar,
  words: readonly string[],
  invocation: Invocation,
): Promise<readonly string[]> {
  const { program } = invocation;
  const isAgent = async (word: string): Promise<boolean> => {
    const [{ readConfig }, { isAgentName }] = await Promise.all([
      import('./config/read-config.ts'),
      import('./config/agent-names.ts'),
    ]);
    // A configuration that cannot be read is reported when the command runs.
    const read = await readConfig(resolve(folderIn(words) ?? '')).catch(() => undefined);
    return isAgentName(word, read?.config) || read?.proposals.has(word) === true;
  };
  const line = await arrangeWords(words, grammar, isAgent);
  const { agent, stray, next, unknown, unknownOption, words: inOrder, hasCommand } = line;
  invocation.agentName = agent;
  if (unknown !== undefined && !isHelp(words)) unknownSubcommand(program, inOrder[0] as string, unknown);
  // The parser says which option may be meant.
  if (unknownOption !== undefined) return ['chat', unknownOption];
  if (isHelp(words)) refuseUnknownTopic(program, helpTopic(inOrder, stray, grammar));
  if (hasCommand || isHelp(words)) return inOrder;
  if (stray !== undefined) await strayWord(program, { word: stray, next, words });
  return withCommand(inOrder, stray ?? (agent === undefined ? undefined : next), invocation);
}

/** The command that is meant without one: a chat, or a prompt, of which the first word is known or which is piped in. */
function withCommand(words: readonly string[], prompt: string | undefined, invocation: Invocation): readonly string[] {
  const isPrompt =
    prompt !== undefined ||
    (invocation.agentName !== undefined && !process.stdin.isTTY) ||
    // Options that only prompts have.
    words.some((word) => /^(-f|--file|-s|--session|--no-wait)(=|$)/.test(word));
  if (!isPrompt) return ['chat', ...words];
  if (words.some((word) => /^(-c|--continue|-r|--resume)(=|$)/.test(word))) return ['exec', ...words];
  invocation.isBare = true;
  return ['prompt', ...words];
}

/** The command whose help is asked for: by `help COMMAND`, or by a single word beside an option. */
function helpTopic(words: readonly string[], stray: string | undefined, grammar: Grammar): string | undefined {
  const [first, topic] = wordPositions(words, grammar).positions.map((position) => words[position]);
  if (first === 'help') return topic;
  return topic === undefined ? stray : undefined;
}
