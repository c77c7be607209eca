import type { ClientTerminals } from '../client-terminals.ts';
import type { ToolReport } from '../tool-report.ts';
import { type CommandOutcome, type CommandRequest, defaultOutputLimit } from './turn-commands.ts';

/** Runs a command in a terminal of the client, which shows what it prints. */
export async function runInClient(
  terminals: ClientTerminals,
  tool: ToolReport,
  { command, args, cwd, env, timeout, outputByteLimit = defaultOutputLimit }: CommandRequest & { readonly cwd: string },
): Promise<CommandOutcome & { readonly terminalId: string }> {
  const terminal = await terminals.create({
    command,
    ...(args && { args }),
    cwd,
    ...(env && { env: Object.entries(env).map(([name, value]) => ({ name, value })) }),
    outputByteLimit,
  });
  let timedOut = false;
  const stop = (): void => {
    timedOut = true;
    void terminal.kill().catch(() => undefined);
  };
  const timer = timeout === undefined ? undefined : setTimeout(stop, timeout);
  try {
    await tool.progress({ content: [{ type: 'terminal', terminalId: terminal.id }] });
    const { exitCode = null, signal = null } = await terminal.exit();
    const { output, truncated } = await terminal.output();
    return { exitCode, signal, output, truncated, timedOut, terminalId: terminal.id };
  } finally {
    clearTimeout(timer);
    await terminal.release().catch(() => undefined);
  }
}
