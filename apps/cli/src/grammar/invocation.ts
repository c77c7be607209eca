import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import type { GivenOptions, GlobalOptions } from '../options.ts';

/** One run of the program: the agent that was named, and the exit code at the end. */
export class Invocation {
  agentName: string | undefined;
  /** Whether a prompt was given without a command. */
  isBare = false;
  /** Whether help has every option. */
  showsAllHelp = false;
  exitCode: number = exitCodes.ok;

  /**
   * Runs a command with the given and the configured options. An error is printed and becomes the exit code.
   * @param writes whether the command writes documents, which have formats of their own
   */
  async run(program: Command, work: (options: GlobalOptions) => Promise<number>, writes?: 'documents'): Promise<void> {
    const { withOptions } = await import('./with-options.ts');
    this.exitCode = await withOptions(
      program,
      { given: program.opts<GivenOptions>(), agentName: this.agentName, writesDocuments: writes !== undefined },
      work,
    );
  }
}
