import type { Command } from 'commander';
import { exitCodes } from '../exit-codes.ts';
import type { GivenOptions, GlobalOptions } from '../options.ts';

/** One run of the program: the agent that was named, and the exit code in the end. */
export class Invocation {
  agentName: string | undefined;
  exitCode: number = exitCodes.ok;

  /** Runs a command with what was given and what is configured. What goes wrong is told and becomes the exit code. */
  async run(program: Command, work: (options: GlobalOptions) => Promise<number>): Promise<void> {
    const { withOptions } = await import('./with-options.ts');
    this.exitCode = await withOptions(
      program,
      { given: program.opts<GivenOptions>(), agentName: this.agentName },
      work,
    );
  }
}
