import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { programPath } from '@turnwire/client/node';
import type { ClientDriver, ClientSteps } from '@turnwire/conformance';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';

/**
 * A driver that works from any folder: paths of files become absolute, because clients are started in folders of their own. Throws
 * CommandError, exit code 2, if there is no program of a name.
 */
export function placedDriver(driver: ClientDriver, cwd: string): ClientDriver {
  const actions = Object.entries(driver.actions).map(([action, steps]) => [action, placedSteps(steps, cwd)] as const);
  const { cancel } = driver;
  return {
    ...driver,
    actions: Object.fromEntries(actions),
    ...(typeof cancel === 'object' && { cancel: placedSteps(cancel, cwd) }),
  };
}

function placedSteps(given: ClientSteps, cwd: string): ClientSteps {
  const steps = given.steps.map((words) => words.map((word) => placedWord(word, cwd)));
  for (const [program = ''] of steps) findOrFail(program, cwd);
  return { ...given, steps };
}

/** Only what looks like a path counts as one: a file may have the name of a subcommand. */
function placedWord(word: string, cwd: string): string {
  const path = resolve(cwd, word);
  return /[./\\]/.test(word) && statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : word;
}

function findOrFail(program: string, cwd: string): void {
  const isKnownLater = program.includes('{');
  if (isKnownLater || programPath(program, { cwd, env: process.env }) !== undefined) return;
  throw new CommandError(`there is no program ${program}`, exitCodes.usage);
}
