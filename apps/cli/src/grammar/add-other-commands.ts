import type { UsageDimension } from '@turnwire/protocol';
import { Argument, type Command, Option } from 'commander';
import type { ContinueArguments } from '../commands/continued-session.ts';
import { type Shell, shells } from '../completion/shell-scripts.ts';
import type { SchemaName } from '../commands/schema.ts';
import type { ConnectArguments } from '../commands/connect.ts';
import type { UsageArguments } from '../commands/usage.ts';
import { absolutePath, firstDayIn } from '../option-values.ts';
import { footer } from './help-footer.ts';
import { continueOptions } from './add-prompt-commands.ts';
import { compatHelp, completionHelp, connectHelp, schemaHelp, usageHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

/** Defines the command `chat`. */
export function addChat(command: Command, invocation: Invocation): void {
  command
    .description('chat with the agent in this terminal; the default without a command or a prompt')
    .argument('[text...]', 'the first prompt');
  for (const option of continueOptions()) command.addOption(option);
  command.action((words: readonly string[], args: ContinueArguments) =>
    invocation.run(async (options) => {
      if (options.format !== 'text')
        command.error(`error: --format ${options.format} is for turns; a chat prints text`);
      return (await import('../commands/chat.ts')).chat({ ...args, words }, options);
    }),
  );
}

/** Defines the command `connect`. */
export function addConnect(command: Command, invocation: Invocation): void {
  command
    .description('run a remote agent on stdin and stdout, for an editor to start')
    .argument('<url>', 'the agent: wss://HOST/acp or https://HOST/acp; ws:// and http:// only on this machine')
    .option('--header-file <path>', 'send the headers in this file, one "Name: value" a line', absolutePath)
    .option('--insecure', 'allow ws:// and http://, which are not encrypted, to another machine')
    .option('--no-reconnect', 'exit when the connection breaks, instead of reconnecting')
    .allowExcessArguments(false)
    .addHelpText('after', footer(connectHelp))
    .action(async (url: string, args: ConnectArguments) => {
      invocation.exitCode = await (await import('../commands/connect.ts')).connect(url, args);
    });
}

/** Defines the command `completion`. */
export function addCompletion(command: Command, invocation: Invocation): void {
  command
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText('after', footer(completionHelp))
    .action(async (shell: Shell) => {
      invocation.exitCode = (await import('../commands/completion.ts')).printCompletion(shell);
    });
}

// Help must not load the protocol.
const usageDimensions = ['agent', 'model', 'folder', 'day', 'session'] as const satisfies readonly UsageDimension[];

/** Defines the command `usage`. */
export function addUsage(command: Command, invocation: Invocation): void {
  command
    .description('print the usage of agents: turns, time, tokens and cost')
    .addOption(
      new Option('--by <what>', 'a row for each agent, model, folder, day or session')
        .choices(usageDimensions)
        .default('day', 'day'),
    )
    .addOption(
      new Option('--since <day>', 'the first day: 2026-04-01, today, or 7d for the last 7 days').argParser(firstDayIn),
    )
    .addOption(new Option('--tenant <name>', 'the turns of this tenant of turnwire serve; default: your own'))
    .allowExcessArguments(false)
    .addHelpText('after', footer(usageHelp))
    .action((args: UsageArguments) =>
      invocation.run(async (options) => (await import('../commands/usage.ts')).printUsage(args, options)),
    );
}

/** Defines the command `schema`. */
export function addSchema(command: Command, invocation: Invocation): void {
  command
    .description('print the JSON Schema of a configuration file, for editors to validate and complete it')
    .addArgument(
      new Argument('<file>', 'which file').choices(['config', 'permissions', 'mcp', 'coder', 'coder-project']),
    )
    .addHelpText('after', footer(schemaHelp))
    .action(async (name: SchemaName) => {
      invocation.exitCode = await (await import('../commands/schema.ts')).printSchema(name);
    });
}

/** Defines the command `compat`. */
export function addCompat(command: Command, invocation: Invocation): void {
  command
    .description('list where a project imports the official SDK, and how to replace it')
    .argument('[project]', 'the folder of the project; default: the working directory', absolutePath)
    .addHelpText('after', footer(compatHelp))
    .action((project: string | undefined) =>
      invocation.run(async (options) =>
        (await import('../commands/compat/compat.ts')).compat(project ?? options.cwd, options),
      ),
    );
}

/** Defines the hidden command that prints candidates for completion. */
export function addCandidates(command: Command, invocation: Invocation): void {
  command.argument('[words...]').action(async (words: readonly string[]) => {
    const { printCandidates } = await import('../commands/completion.ts');
    invocation.exitCode = await printCandidates(invocation.program, words);
  });
}
