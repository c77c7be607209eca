import { type EnvironmentVariables, findProgram, programContext } from '@turnwire/machine';

/** Where a program is searched for. */
export interface ProgramPlace {
  /** The working directory: an absolute path. */
  readonly cwd: string;
  /** Its variables; `PATH` lists the folders to search. */
  readonly env: EnvironmentVariables;
}

/** The executable file with a program's name, as an absolute path; undefined if none is found. Starts nothing. */
export function programPath(program: string, { cwd, env }: ProgramPlace): string | undefined {
  return findProgram(program, programContext(cwd, env));
}
