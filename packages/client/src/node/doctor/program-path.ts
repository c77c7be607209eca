import { findProgram, ownSurroundings } from '@turnwire/machine';
import type { Environment } from '../launch/environment.ts';

/** Where a program is looked for. */
export interface ProgramPlace {
  /** The folder it would start in: an absolute path. */
  readonly cwd: string;
  /** Its variables, of which `PATH` says where it is looked for. */
  readonly env: Environment;
}

/** The file a program's name stands for, as an absolute path; undefined if there is none that may be run. Starts nothing. */
export function programPath(program: string, { cwd, env }: ProgramPlace): string | undefined {
  return findProgram(program, ownSurroundings(cwd, env));
}
