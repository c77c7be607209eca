import { Argument, type Command } from 'commander';
import type { ContinueGiven } from '../commands/continued-session.ts';
import { type Shell, shells } from '../completion/shell-scripts.ts';
import type { SchemaName } from '../commands/schema.ts';
import type { ConnectGiven } from '../commands/connect.ts';
import { absolutePath } from '../option-values.ts';
import { footer } from './help-footer.ts';
import { continueOptions } from './add-prompt-commands.ts';
import { completionHelp, connectHelp, schemaHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

/** Completes the command `chat`. */
export function addChat(command: Command, invocation: Invocation): void {
  command
    .description('chat with the agent in this terminal; the default without a command and a prompt')
    .argument('[text...]', 'the first prompt');
  for (const option of continueOptions()) command.addOption(option);
  command.action((words: readonly string[], given: ContinueGiven) =>
    invocation.run(async (options) => {
      if (options.format !== 'text')
        command.error(`error: --format ${options.format} is for turns; a chat prints text`);
      return (await import('../commands/chat.ts')).chat({ ...given, words }, options);
    }),
  );
}

/** Completes the command `connect`. */
export function addConnect(command: Command, invocation: Invocation): void {
  command
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
}

/** Completes the command `completion`. */
export function addCompletion(command: Command, invocation: Invocation): void {
  command
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText('after', footer(completionHelp))
    .action(async (shell: Shell) => {
      invocation.exitCode = (await import('../commands/completion.ts')).printCompletion(shell);
    });
}

/** Completes the command `schema`. */
export function addSchema(command: Command, invocation: Invocation): void {
  command
    .description('print the JSON schema of a file that people write, for editors to check and complete it')
    .addArgument(
      new Argument('<file>', 'which file').choices(['config', 'permissions', 'mcp', 'coder', 'coder-project']),
    )
    .addHelpText('after', footer(schemaHelp))
    .action(async (name: SchemaName) => {
      invocation.exitCode = await (await import('../commands/schema.ts')).printSchema(name);
    });
}

/** Completes the hidden command that prints candidates for completion. */
export function addCandidates(command: Command, invocation: Invocation): void {
  command.argument('[words...]').action(async (words: readonly string[]) => {
    const { printCandidates } = await import('../commands/completion.ts');
    invocation.exitCode = await printCandidates(invocation.program, words);
  });
}
