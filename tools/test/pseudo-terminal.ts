import { type IPty, spawn } from '@lydell/node-pty';
import { receiveAllOutput } from '../../conformance/src/client/drive/terminal-output.ts';

/** Runs a program in a pseudo-terminal and receives all of its output. */
export function startInTerminal(...command: Parameters<typeof spawn>): IPty {
  const terminal = spawn(...command);
  receiveAllOutput(terminal);
  return terminal;
}
