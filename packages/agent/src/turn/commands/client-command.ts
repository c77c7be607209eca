import { commandShell, withoutInput } from '@turnwire/machine';
import { after } from '../../after.ts';
import type { ClientTerminals } from '../client-terminals.ts';
import type { ToolReport } from '../tool-report.ts';
import { type CommandOutcome, type CommandRequest, defaultOutputLimit } from './turn-commands.ts';

/** Runs a command in a terminal of the client, which shows its output. */
export async function runInClient(
  terminals: ClientTerminals,
  tool: ToolReport,
  { command, args, cwd, env, timeout, outputByteLimit = defaultOutputLimit }: CommandRequest & { readonly cwd: string },
): Promise<CommandOutcome> {
  const variables = env && Object.entries(env).map(([name, value = '']) => ({ name, value }));
  const place = { cwd, ...(variables && { env: variables }), outputByteLimit };
  const terminal = await terminals.create({ ...words(command, args), ...place });
  const time = timeLimit(timeout, () => void terminal.kill().catch(() => undefined));
  try {
    await tool.progress({ content: [{ type: 'terminal', terminalId: terminal.id }] });
    const { exitCode = null, signal = null } = (await Promise.race([terminal.exit(), time.isLost])) ?? {};
    const { output, truncated } = await terminal.output();
    return { exitCode, signal, output, truncated, timedOut: time.isUp() };
  } finally {
    time.clear();
    void terminal.release().catch(() => undefined);
  }
}

/**
 * Names the shell for a command line, since permission rules parse the line for that shell: a client given only a line uses any shell, or
 * takes the line for the name of a program. The command gets no input, as with local commands.
 */
function words(command: string, args: readonly string[] | undefined): { command: string; args?: readonly string[] } {
  if (args !== undefined) return { command, args };
  const shell = commandShell();
  return shell.reads === 'cmd' ? { command } : { command: shell.path, args: ['-c', withoutInput(command)] };
}

/** Milliseconds a terminal has to end its command after a kill. */
const grace = 5_000;

/** Kills a command when its time is up, and limits the wait for its end. */
function timeLimit(timeout: number | undefined, stop: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isUp = false;
  const isLost = new Promise<undefined>((resolve) => {
    const onTimeUp = (): void => {
      isUp = true;
      stop();
      timer = setTimeout(resolve, grace, undefined);
    };
    timer = after(timeout ?? Infinity, onTimeUp);
  });
  return { isLost, isUp: () => isUp, clear: () => clearTimeout(timer) };
}
