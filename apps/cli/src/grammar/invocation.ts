import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import type { GivenOptions, GlobalOptions } from '../options.ts';

/** One run of the program: the agent that was named, and the exit code at the end. */
export class Invocation {
  agentName: string | undefined;
  /** Whether a prompt was given without a command. */
  isBare = false;
  exitCode: number = exitCodes.ok;

  /** Runs a command with the given and the configured options. An error is printed and becomes the exit code. */
  async run(program: Command, work: (options: GlobalOptions) => Promise<number>): Promise<void> {
    const { withOptions } = await import('./with-options.ts');
    this.exitCode = await withOptions(
      program,
      { given: program.opts<GivenOptions>(), agentName: this.agentName },
      work,
    );
  }
}
