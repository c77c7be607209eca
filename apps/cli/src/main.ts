import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { exitCodes } from './exit-codes.ts';
import { hostCommand } from './session-host/host-command.ts';
import { stderr, stdout } from './terminal/output.ts';
import { folderIn, isHelp } from './unparsed-words.ts';

/**
 * Runs the command with the words after its name and ends the process with its exit code.
 * Each command imports only what it needs: `coder`, unless it has options of a user, does without even the option parser. `bin/turnwire.js` answers `--version` alone.
 */
export async function main(words: readonly string[]): Promise<void> {
  // The reader of our output may leave first: that ends a command in its own way, not with a stack trace.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  let lost: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error) => (lost ??= error));
  const code = isSomewhere(words) ? await run(words) : exitCodes.usage;
  await flushed(code);
  // EPIPE: the reader, such as `head`, has read enough.
  if (code !== exitCodes.ok || lost === undefined || lost.code === 'EPIPE') process.exit(code);
  stderr.printLine(`turnwire: the output cannot be written (${lost.message})`);
  await stderr.flushed();
  process.exit(exitCodes.error);
}

/** Whether there is a folder to run in. The current one may be deleted: then `--cwd` takes its place, and help needs none. */
function isSomewhere(words: readonly string[]): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    const named = folderIn(words);
    const isThere = named !== undefined && isAbsolute(named) && existsSync(named);
    const folder = isThere ? named : isHelp(words) ? '/' : undefined;
    if (folder !== undefined) process.chdir(folder);
    else
      stderr.printLine(
        'turnwire: the folder you are in no longer exists. Change to another one, or name one with --cwd and its whole path',
      );
    return folder !== undefined;
  }
}

async function run(words: readonly string[]): Promise<number> {
  // Without one, nothing is loaded for it.
  if (Object.keys(process.env).some((name) => /^(?:https?|all)_proxy$/i.test(name)))
    await (await import('./commands/coder.ts')).fetchThroughProxies();
  const [first, ...others] = words;
  // As `exec` starts the built-in agent.
  const waitForMcp = others.length === 1 && others[0] === '--wait-for-mcp';
  if (first === 'coder' && (others.length === 0 || waitForMcp))
    await (await import('./commands/coder.ts')).coder({ waitForMcp });
  else if (first === hostCommand && others.length === 0)
    return (await import('./session-host/host-process.ts')).hostSession();
  else return (await import('./program.ts')).run(words);
  return 0;
}

/** How long the reader of our output may take for the rest of it after the command was stopped, in milliseconds. */
const lastRead = 1_000;

/** Waits until the output is written. Then the process ends: resources an agent left open must not keep it alive. */
async function flushed(code: number): Promise<void> {
  const soon = (): void => void setTimeout(() => process.exit(code), lastRead);
  // A signal now is too late to change the outcome, but ends the wait for a reader that does not read.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, soon);
  // A signal asks us to end.
  if (code === exitCodes.timeout || code > 128) soon();
  await Promise.all([stdout.flushed(), stderr.flushed()]);
}
