import { exitCodes } from './exit-codes.ts';
import { ownerWord } from './owner/owner-word.ts';
import { version } from './version.ts';
import { stderr, stdout } from './terminal/output.ts';

/**
 * Runs the command with the words behind its name and ends the process with its exit code.
 * What a command does not need is not imported: `--version` and a bare `coder` do without even the parser of options.
 */
export async function main(words: readonly string[]): Promise<void> {
  // Whoever read our output may leave before we do: that ends a command in its own way, not with a stack trace.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  await exit(await run(words));
}

async function run(words: readonly string[]): Promise<number> {
  const only = words.length === 1 ? words[0] : undefined;
  if (only === '--version' || only === '-V') stdout.printLine(version());
  else if (only === 'coder') await (await import('./commands/coder.ts')).coder();
  else if (only === ownerWord) return (await import('./owner/owner-process.ts')).ownSession();
  else return (await import('./program.ts')).run(words);
  return 0;
}

/** After something stopped the command: how long whoever reads our output may take for the rest of it, in milliseconds. */
const lastRead = 1_000;

/** Ends the process once what it printed is out: something an agent left open must not keep it alive. */
async function exit(code: number): Promise<never> {
  const soon = (): void => void setTimeout(() => process.exit(code), lastRead);
  // A signal that comes now is too late to change how it ended, but not to end the wait for a reader that does not read.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, soon);
  if (wasStopped(code)) soon();
  await Promise.all([stdout.flushed(), stderr.flushed()]);
  process.exit(code);
}

/** Somebody wants it to be over. */
function wasStopped(code: number): boolean {
  return code === exitCodes.timeout || code > 128;
}
