import { type Command, Option } from 'commander';
import { candidatesWord } from '../completion/shell-scripts.ts';
import { globalOptions } from '../options.ts';
import { stderr, stdout } from '../terminal/output.ts';
import { version } from '../version.ts';
import { addAgents, addDoctor } from './add-agent-commands.ts';
import { addCheck } from './add-check-commands.ts';
import { addCoder } from './add-coder-commands.ts';
import {
  addCandidates,
  addChat,
  addCompat,
  addCompletion,
  addConnect,
  addSchema,
  addUsage,
} from './add-other-commands.ts';
import { addPlaces } from './add-place-commands.ts';
import { addPermissions } from './add-permission-commands.ts';
import { addCancel, addExec, addPrompt, addSet, addSetMode, addStatus } from './add-prompt-commands.ts';
import { addReview } from './add-review-commands.ts';
import { addProxy, addServe, addWeb } from './add-serve-commands.ts';
import { addSessions } from './add-session-commands.ts';
import { addTrace } from './add-trace-commands.ts';
import { footer } from './help-footer.ts';
import { helpPage } from './help-page.ts';
import { examples, exitCodeHelp } from './help-texts.ts';
import type { Invocation } from './invocation.ts';

/** All commands in the order of the help page. Each function defines the arguments, options, action and subcommands of its command. */
const commands: ReadonlyMap<string, (command: Command, invocation: Invocation) => void> = new Map([
  ['prompt', addPrompt],
  ['exec', addExec],
  ['cancel', addCancel],
  ['set-mode', addSetMode],
  ['set', addSet],
  ['status', addStatus],
  ['sessions', addSessions],
  ['places', addPlaces],
  ['review', addReview],
  ['usage', addUsage],
  ['agents', addAgents],
  ['doctor', addDoctor],
  ['trace', addTrace],
  ['check', addCheck],
  ['permissions', addPermissions],
  ['serve', addServe],
  ['web', addWeb],
  ['proxy', addProxy],
  ['chat', addChat],
  ['connect', addConnect],
  ['coder', addCoder],
  ['compat', addCompat],
  ['completion', addCompletion],
  ['schema', addSchema],
  [candidatesWord, addCandidates],
]);

const helpOption = new Option('-h, --help', 'print this help');

/** The names of all commands. */
export const commandNames: readonly string[] = [...commands.keys()];

/**
 * The commands and options of one run. The first lookup of a command builds it, because a run needs one command; help and completion need all.
 * The code of a command is imported when it runs.
 */
export class Grammar {
  readonly #invocation: Invocation;

  constructor(invocation: Invocation) {
    this.#invocation = invocation;
    const { program } = invocation;
    program
      .description('Drive coding agents over the Agent Client Protocol: the built-in one, or any other.')
      .usage('[options] [agent] [command] [text…]')
      .version(version(), '-V, --version', 'print the version')
      .addHelpOption(helpOption)
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
  }

  /** Finds a command by its name and builds it at the first lookup. */
  command(name: string): Command | undefined {
    const { program } = this.#invocation;
    const complete = commands.get(name);
    const built = program.commands.find((each) => each.name() === name);
    if (built !== undefined || complete === undefined) return built;
    const command = program.command(name, { hidden: name === candidatesWord });
    complete(command, this.#invocation);
    return command;
  }

  /** Builds every command. */
  buildAll(): void {
    for (const name of commandNames) this.command(name);
  }

  /** Finds an option by its spelling, such as `--cwd` or `-s`: of the program, or else of any command. */
  option(flag: string): Option | undefined {
    const find = (): Option | undefined =>
      [helpOption, ...optionsOf(this.#invocation.program)].find(({ short, long }) => short === flag || long === flag);
    const found = find();
    if (found !== undefined) return found;
    this.buildAll();
    return find();
  }
}

function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...command.commands.flatMap(optionsOf)];
}
