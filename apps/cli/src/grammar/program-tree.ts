import { Command } from 'commander';
import { globalOptions } from '../options.ts';
import { version } from '../version.ts';
import { footer } from './help-footer.ts';
import { addAgentCommands } from './add-agent-commands.ts';
import { addCheckCommands } from './add-check-commands.ts';
import { addPermissionCommands } from './add-permission-commands.ts';
import { addOtherCommands } from './add-other-commands.ts';
import { addPromptCommands } from './add-prompt-commands.ts';
import { addServeCommands } from './add-serve-commands.ts';
import { addSessionCommands } from './add-session-commands.ts';
import { helpPage } from './help-page.ts';
import { examples, exitCodeHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';
import { stderr, stdout } from '../terminal/output.ts';

/** All commands and options. The code of a command is imported when it runs. */
export function programTree(invocation: Invocation): Command {
  const program = new Command('turnwire')
    .description('Drive coding agents over the Agent Client Protocol: the built-in one, or any other.')
    .usage('[options] [agent] [command] [text…]')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp(helpPage(() => invocation.showsAllHelp))
    .configureOutput({
      writeOut: (text) => stdout.print(text),
      writeErr: (text) => stderr.print(text),
      outputError: (message, write) => write(`${message.replace(/^error: /, 'turnwire: ')}See turnwire --help.\n`),
    })
    .exitOverride()
    .addHelpText('after', (context) => (invocation.showsAllHelp ? footer(examples + exitCodeHelp)(context) : ''));
  for (const option of globalOptions()) program.addOption(option);
  addPromptCommands(program, invocation);
  addSessionCommands(program, invocation);
  addAgentCommands(program, invocation);
  addCheckCommands(program, invocation);
  addPermissionCommands(program, invocation);
  addServeCommands(program, invocation);
  addOtherCommands(program, invocation);
  return program;
}
