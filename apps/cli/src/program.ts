import { Command, CommanderError } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { type GlobalOptions, globalOptions } from './options.ts';
import { cleanText } from './terminal/clean-text.ts';
import { version } from './version.ts';

/** Reads the command line and runs what it asks for. Resolves with the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  let code: number = exitCodes.ok;
  const program = grammar(async (command) => {
    code = await command;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    process.stderr.write(`agentwire: ${cleanText(String((error as Error).stack ?? error))}\n`);
    return exitCodes.error;
  }
}

type Finish = (exitCode: Promise<number>) => Promise<void>;

function grammar(finish: Finish): Command {
  const program = new Command('agentwire')
    .description('Drive coding agents over the Agent Client Protocol: the built-in one, or any other.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      outputError: (message, write) => write(`${message.replace(/^error: /, 'agentwire: ')}See agentwire --help.\n`),
    })
    .exitOverride()
    .addHelpText('after', examples);
  for (const option of globalOptions()) program.addOption(option);
  program
    .argument('[command]')
    .action((word?: string) => finish(word === undefined ? chat(program) : unknownCommand(program, word)));
  program
    .configureHelp({ showGlobalOptions: true, visibleArguments: () => [] })
    .usage('[options] [command]')
    .allowExcessArguments();
  addCommands(program, finish);
  return program;
}

function addCommands(program: Command, finish: Finish): void {
  program
    .command('chat', { isDefault: false })
    .description('talk with the agent in this terminal; what you get without a command')
    .allowExcessArguments(false)
    .action(() => finish(chat(program)));
  program
    .command('exec')
    .description('run one turn without a terminal and print the answer')
    .argument('[prompt...]', 'what to ask; without it, stdin is read')
    .option('-f, --file <path>', 'read the prompt from a file; - is stdin')
    .addHelpText('after', execHelp)
    .action((prompt: readonly string[], { file }: { readonly file?: string }) =>
      finish(exec(program, { words: prompt, file })),
    );
  program
    .command('coder')
    .description('be the built-in agent on stdin and stdout, for an editor to start')
    .allowExcessArguments(false)
    .action(() => finish(coder()));
}

async function chat(program: Command): Promise<number> {
  const options = program.opts<GlobalOptions>();
  if (options.format !== 'text') program.error(`error: --format ${options.format} is for exec; a chat prints text`);
  await refuseUnreadableAgent(program);
  return (await import('./commands/chat.ts')).chat(options);
}

async function exec(
  program: Command,
  given: { readonly words: readonly string[]; readonly file: string | undefined },
): Promise<number> {
  await refuseUnreadableAgent(program);
  const { readPrompt } = await import('./commands/prompt-source.ts');
  const prompt = await readPrompt(given).catch((error: unknown) => program.error(`error: ${(error as Error).message}`));
  return (await import('./commands/exec.ts')).exec(prompt, program.opts<GlobalOptions>());
}

async function coder(): Promise<number> {
  await (await import('./commands/coder.ts')).coder();
  return exitCodes.ok;
}

/** A command for the agent that cannot be split into words is a wrong command line, not an agent that fails. */
async function refuseUnreadableAgent(program: Command): Promise<void> {
  const { agent } = program.opts<GlobalOptions>();
  if (agent === undefined) return;
  const { commandWords } = await import('@agentwire/client');
  try {
    commandWords(agent);
  } catch (error) {
    program.error(`error: ${(error as Error).message}`);
  }
}

function unknownCommand(program: Command, word: string): never {
  const known = program.commands.map((command) => command.name()).join(', ');
  return program.error(
    `error: there is no command '${word}'; there are ${known}. To ask the agent something: agentwire exec "${program.args.join(' ')}"`,
  );
}

const examples = `
Examples:
  agentwire                                      chat with the built-in agent in this folder
  agentwire exec "search for TODO"               one turn, the answer on stdout
  agentwire exec --approve-all -f task.md        a turn that may change files
  agentwire --agent "other-agent --acp" chat     drive another agent
`;

const execHelp = `
Without --approve-all or --deny-all you are asked, if there is a terminal to ask on; without one, reading and
searching are allowed and everything else is refused.

Exit codes: 0 the turn ended, 1 error, 2 wrong command line, 3 timeout, 5 permission was asked and never granted,
130 interrupted.

Examples:
  agentwire exec "list files then search for TODO"
  git diff | agentwire exec -f - "review this"
  agentwire exec --format json "read notes.txt" | jq .method
`;
