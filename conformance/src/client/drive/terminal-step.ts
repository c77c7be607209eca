import type { Exit } from '../../wire/line.ts';
import type { Command } from '../../wire/process-line.ts';
import type { Keystrokes } from './client-driver.ts';
import type { Step } from './step.ts';
import { receiveAllOutput } from './terminal-output.ts';

/** Characters of output to retain. */
const kept = 1024 * 1024;
const ctrlC = '\u0003';

/** The package for pseudo-terminals. It contains compiled code, so it is optional. */
const terminalPackage = '@lydell/node-pty@1.1.0';

/** Runs a command line in a pseudo-terminal. Rejects if the package is not installed, or the program cannot be started. */
export async function startTerminalStep({ argv, cwd, env }: Command, keystrokes: readonly Keystrokes[]): Promise<Step> {
  const { spawn } = await import('@lydell/node-pty').catch((cause: unknown) => {
    throw new Error(
      `This step needs a terminal, and so the package ${terminalPackage}. Install it next to turnwire: npm install ${terminalPackage}`,
      { cause },
    );
  });
  const [program = '', ...rest] = argv;
  const variables = { ...env, TERM: 'xterm-256color' };
  const terminal = spawn(program, rest, { cols: 100, rows: 40, name: 'xterm-256color', cwd, env: variables });
  receiveAllOutput(terminal);
  const left = [...keystrokes];
  let [output, seen] = ['', ''];
  terminal.onData((data) => {
    output = (output + data).slice(-kept);
    seen += data;
    const [next] = left;
    if (next === undefined || !seen.includes(next.after)) return;
    left.shift();
    seen = '';
    terminal.write(next.type);
  });
  const exited = new Promise<Exit>((resolve) =>
    terminal.onExit(({ exitCode, signal = 0 }) =>
      resolve(signal === 0 ? { code: exitCode, signal: null } : { code: null, signal: `signal ${String(signal)}` }),
    ),
  );
  const kill = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT') terminal.write(ctrlC);
    else terminal.kill(signal);
  };
  return { pid: terminal.pid, exited, stdout: () => output, stderr: () => '', kill };
}
