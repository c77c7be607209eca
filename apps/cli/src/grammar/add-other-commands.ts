import { Argument, type Command } from 'commander';
import type { ChatGiven } from '../commands/chat.ts';
import type { ContinueGiven } from '../commands/continued-session.ts';
import { candidatesWord, type Shell, shells } from '../completion/shell-scripts.ts';
import type { SchemaName } from '../commands/schema.ts';
import type { ConnectGiven } from '../commands/connect.ts';
import { absolutePath } from '../option-values.ts';
import type { GlobalOptions } from '../options.ts';
import { footer } from './help-footer.ts';
import { addCoderCommands } from './add-coder-commands.ts';
import { continueOptions } from './add-prompt-commands.ts';
import { completionHelp, connectHelp, schemaHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

/** Adds the commands that are neither a turn nor a session. */
export function addOtherCommands(program: Command, invocation: Invocation): void {
  const chatting = program
    .command('chat')
    .description('chat with the agent in this terminal; the default without a command and a prompt')
    .argument('[text...]', 'the first prompt');
  for (const option of continueOptions()) chatting.addOption(option);
  chatting.action((words: readonly string[], given: ContinueGiven) =>
    invocation.run(program, (options) => chat(program, { ...given, words }, options)),
  );
  program
    .command('connect')
    .description('run a remote agent on stdin and stdout, for an editor to start')
    .argument('<url>', 'where the agent is: wss://HOST/acp or https://HOST/acp; ws:// and http:// on this machine')
    .option('--header-file <path>', 'send the headers in this file, one "Name: value" a line', absolutePath)
    .option('--insecure', 'allow ws:// and http://, which are not encrypted, to another machine')
    .option('--no-reconnect', 'end when the connection breaks, instead of connecting again')
    .allowExcessArguments(false)
    .addHelpText('after', footer(connectHelp))
    .action(async (url: string, given: ConnectGiven) => {
      invocation.exitCode = await (await import('../commands/connect.ts')).connect(url, given);
    });
  addCoderCommands(program, invocation);
  addCompletion(program, invocation);
}

function addCompletion(program: Command, invocation: Invocation): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText('after', footer(completionHelp))
    .action(async (shell: Shell) => {
      invocation.exitCode = (await import('../commands/completion.ts')).printCompletion(shell);
    });
  program
    .command('schema')
    .description('print the JSON schema of a file that people write, for editors to check and complete it')
    .addArgument(
      new Argument('<file>', 'which file').choices(['config', 'permissions', 'mcp', 'coder', 'coder-project']),
    )
    .addHelpText('after', footer(schemaHelp))
    .action(async (name: SchemaName) => {
      invocation.exitCode = await (await import('../commands/schema.ts')).printSchema(name);
    });
  program
    .command(candidatesWord, { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      invocation.exitCode = await (await import('../commands/completion.ts')).printCandidates(program, words);
    });
}

async function chat(program: Command, given: ChatGiven, options: GlobalOptions): Promise<number> {
  if (options.format !== 'text') program.error(`error: --format ${options.format} is for turns; a chat prints text`);
  return (await import('../commands/chat.ts')).chat(given, options);
}
