import { readFile } from 'node:fs/promises';
import { readScriptedAnswers, type ScriptedAnswers } from '@agentwire/client/elicitation';
import { exitCodes } from './exit-codes.ts';
import { CommandError } from './failure.ts';

/** The answers in the file of `--answers`. Rejects with CommandError, exit code 2, if they cannot be used. */
export async function answersOf(path: string | undefined): Promise<ScriptedAnswers | undefined> {
  if (path === undefined) return undefined;
  try {
    return readScriptedAnswers(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new CommandError(`the answers in ${path} cannot be used: ${(error as Error).message}`, exitCodes.usage);
  }
}
