import { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import type { CommandLineOptions, GlobalOptions } from '../options.ts';

/** One run of the program: its option parser, the agent named on the command line, and the exit code. */
export class Invocation {
  /** The option parser, with the options of the whole program. */
  readonly program: Command = new Command('turnwire');
  /** The names of all commands. */
  readonly commandNames: readonly string[];
  agentName: string | undefined;
  /** Whether the command line is a prompt without a command. */
  isBare = false;
  /** Whether help lists every option. */
  showsAllHelp = false;
  exitCode: number = exitCodes.ok;

  constructor(commandNames: readonly string[]) {
    this.commandNames = commandNames;
  }

  /**
   * Runs a command with the options of the command line and the configuration. An error is printed and sets the exit code.
   * @param writes set if the command writes documents, which have their own formats
   */
  async run(work: (options: GlobalOptions) => Promise<number>, writes?: 'documents'): Promise<void> {
    const { withOptions } = await import('./with-options.ts');
    this.exitCode = await withOptions(
      this.program,
      {
        parsed: this.program.opts<CommandLineOptions>(),
        agentName: this.agentName,
        writesDocuments: writes !== undefined,
      },
      work,
    );
  }
}
