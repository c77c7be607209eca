import { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import type { GivenOptions, GlobalOptions } from '../options.ts';

/** One run of the program: its option parser, the agent that was named, and the exit code at the end. */
export class Invocation {
  /** The option parser, with the options of the whole program. */
  readonly program: Command = new Command('turnwire');
  /** The names of all commands. */
  readonly commandNames: readonly string[];
  agentName: string | undefined;
  /** Whether a prompt was given without a command. */
  isBare = false;
  /** Whether help has every option. */
  showsAllHelp = false;
  exitCode: number = exitCodes.ok;

  constructor(commandNames: readonly string[]) {
    this.commandNames = commandNames;
  }

  /**
   * Runs a command with the given and the configured options. An error is printed and becomes the exit code.
   * @param writes whether the command writes documents, which have formats of their own
   */
  async run(work: (options: GlobalOptions) => Promise<number>, writes?: 'documents'): Promise<void> {
    const { withOptions } = await import('./with-options.ts');
    this.exitCode = await withOptions(
      this.program,
      { given: this.program.opts<GivenOptions>(), agentName: this.agentName, writesDocuments: writes !== undefined },
      work,
    );
  }
}
