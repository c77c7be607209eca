import type { CommandOutcome } from '@turnwire/agent';
import { commandShell } from '@turnwire/machine';
import { type ConfinedRun, createPermissions } from '@turnwire/permissions';

/** The folder and signal of a command. */
interface CommandContext {
  readonly cwd: string;
  /** The folders of the session. */
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * How to run a line of plain file operations in the folders of the session without a shell, which would follow a link that appears after
 * the line was judged. Undefined for every other line.
 */
export async function confinedRun(
  command: string,
  { cwd, roots, signal }: CommandContext,
): Promise<ConfinedRun | undefined> {
  const permissions = createPermissions({ project: cwd, mode: 'acceptEdits' });
  const { reads: shell } = commandShell();
  const call = { sessionId: '', roots, kind: 'execute', command, shell, cwd, paths: [], source: 'host' } as const;
  return permissions.allowHostCall(call, signal).catch(() => undefined);
}

/** Runs such a line. Rejects with the signal's reason. */
export async function runConfined(
  run: ConfinedRun,
  signal: AbortSignal,
  onOutput: (text: string) => void | Promise<void>,
): Promise<CommandOutcome> {
  let output = '';
  const print = (text: string): void => {
    output += text;
    void onOutput(text);
  };
  const exitCode = await run(print, signal);
  return { exitCode, signal: null, output, truncated: false, timedOut: false };
}
