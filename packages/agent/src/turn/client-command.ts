import { after } from '@turnwire/machine/waits';
import type { ClientTerminals } from './client-terminals.ts';
import type { ToolReport } from './tool-report.ts';
import type { LocalMachine, ResolvedCommand } from './local-machine.ts';
import { type CommandOutcome, defaultOutputLimit } from './turn-commands.ts';

/** The terminals and call that show a command, and the machine that names the shell. */
export interface ClientCommandContext {
  readonly terminals: ClientTerminals;
  readonly tool: ToolReport;
  readonly machine: LocalMachine | undefined;
}

/**
 * Runs a command in a terminal of the client, which shows its output. A line for the shell names the shell, since permission rules parse
 * the line for that shell: a client given only a line uses any shell, or takes the line for the name of a program.
 */
export async function runInClient(
  { terminals, tool, machine }: ClientCommandContext,
  { command, args, cwd, env, timeout, outputByteLimit = defaultOutputLimit }: ResolvedCommand,
): Promise<CommandOutcome> {
  const program = args === undefined ? (machine?.shellCommand(command) ?? { command }) : { command, args };
  const variables = env && Object.entries(env).map(([name, value = '']) => ({ name, value }));
  const options = { cwd, ...(variables && { env: variables }), outputByteLimit };
  const terminal = await terminals.create({ ...program, ...options });
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

/** Milliseconds a terminal has to end its command after a kill. */
const grace = 5_000;

/** Kills a command at its timeout, and limits the wait for its end. */
function timeLimit(timeout: number | undefined, stop: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
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
