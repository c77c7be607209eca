import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ContinueArguments } from '../commands/continued-session.ts';
import type { Draft } from '../driving/prompt-content.ts';
import { footer } from './help-footer.ts';
import { execHelp, promptHelp } from './help-texts.ts';
import type { AnswerArguments } from '../commands/wanted-answer.ts';
import type { Invocation } from './invocation.ts';

/** The arguments of `prompt` and `exec`. */
interface TurnOptions extends ContinueArguments, AnswerArguments {
  readonly file?: string;
  readonly session?: string;
  readonly wait?: boolean;
  readonly configOption?: readonly string[];
}

/** The option that names a session. */
export function sessionOption(): Option {
  return new Option('-s, --session <name>', 'use the session with this name, instead of the session of the folder');
}

/** The options that name an earlier session to continue. */
export function continueOptions(): readonly Option[] {
  return [
    new Option('-c, --continue', 'continue the last session of this folder').conflicts('resume'),
    new Option('-r, --resume [session]', 'continue a session: the start of its id, its name, or words of it'),
  ];
}

/** Defines the command `cancel`. */
export function addCancel(command: Command, invocation: Invocation): void {
  command
    .description('cancel the running turn of a session')
    .addOption(sessionOption())
    .allowExcessArguments(false)
    .action(({ session }: TurnOptions) =>
      invocation.run(async (options) => (await import('../commands/cancel.ts')).cancel(session, options)),
    );
}

/** Defines the command `set-mode`. */
export function addSetMode(command: Command, invocation: Invocation): void {
  command
    .description('set the mode of a session')
    .argument('<mode>', 'the id of the mode, as the agent lists it')
    .addOption(sessionOption())
    .action((mode: string, { session }: TurnOptions) =>
      invocation.run(async (options) => (await import('../commands/set-session.ts')).setMode(mode, session, options)),
    );
}

/** Defines the command `set`. */
export function addSet(command: Command, invocation: Invocation): void {
  command
    .description('set an option of a session, such as its model')
    .argument('<key>', 'the id of the option, as the agent lists it')
    .argument('<value>', 'the new value; true or false for a switch')
    .addOption(sessionOption())
    .action((key: string, value: string, { session }: TurnOptions) =>
      invocation.run(async (options) =>
        (await import('../commands/set-session.ts')).setOption({ key, value }, session, options),
      ),
    );
}

/** Defines the command `status`. */
export function addStatus(command: Command, invocation: Invocation): void {
  command
    .description('show the state of a session')
    .addOption(sessionOption())
    .allowExcessArguments(false)
    .action(({ session }: TurnOptions) =>
      invocation.run(async (options) => (await import('../commands/status.ts')).status(session, options)),
    );
}

/** Defines the command `prompt`. */
export function addPrompt(command: Command, invocation: Invocation): void {
  command
    .description('run a turn in a stored session and print it; the default for text without a command')
    .argument('[text...]', 'the prompt; piped input follows it, or is the prompt')
    .addOption(sessionOption())
    .option('-f, --file <path>', 'read the prompt from a file; - is stdin')
    .option('--no-wait', 'return as soon as the prompt is queued')
    .addHelpText('after', footer(promptHelp))
    .action(async (words: readonly string[], { file, session, wait = true }: TurnOptions) => {
      const draft = await readDraft(command, { words, file });
      const isBare = invocation.isBare && session === undefined && wait;
      await invocation.run(async (options) =>
        (await import('../commands/prompt.ts')).prompt({ draft, session, wait, isBare }, options),
      );
    });
}

/** Defines the command `exec`. */
export function addExec(command: Command, invocation: Invocation): void {
  command.description('run one turn in a new session and print it');
  for (const option of continueOptions()) command.addOption(option);
  command
    .argument('[text...]', 'the prompt; piped input follows it, or is the prompt')
    .option('-f, --file <path>', 'read the prompt from a file; - is stdin')
    .option('--config-option <key=value>', 'set an option of the agent before the turn; may be repeated', oneMoreOption)
    .option('--output-last-message <file>', 'write the last message to a file, too')
    .option('--output-schema <file>', 'the last message must be JSON that fits this JSON Schema')
    .addHelpText('after', footer(execHelp))
    .action(async (words: readonly string[], { file, configOption: configOptions = [], ...given }: TurnOptions) => {
      const draft = await readDraft(command, { words, file });
      await invocation.run(async (options) =>
        (await import('../commands/exec.ts')).exec({ ...given, draft, configOptions }, options),
      );
    });
}

async function readDraft(
  command: Command,
  given: { readonly words: readonly string[]; readonly file: string | undefined },
): Promise<Draft> {
  const { readPrompt } = await import('../commands/prompt-source.ts');
  return readPrompt(given).catch((error: unknown) => command.error(`error: ${(error as Error).message}`));
}

function oneMoreOption(value: string, previous: readonly string[] = []): readonly string[] {
  if (!/^[^=]+=/.test(value)) throw new InvalidArgumentError('Give an option and its value, such as effort=high.');
  return [...previous, value];
}
