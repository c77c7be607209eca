// COMMAND [TEXT]: runs a shell command in a pseudo-terminal, and leaves the chat that it opens, once it has shown the
// text. Prints what the terminal was sent, and ends with the command's exit code.
import { startInTerminal } from '../pseudo-terminal.ts';

/** The editor of a chat, drawn and plain. */
const prompt = /› |(?:^|\n)> /;
const ctrlD = '\u0004';
/** In milliseconds: a chat that still works, or draws, does not take it. */
const betweenTries = 200;

const [, , command = '', text = ''] = process.argv;
const terminal = startInTerminal('bash', ['-c', command], {
  cols: 100,
  rows: 30,
  name: 'xterm-256color',
  env: process.env,
});
let output = '';
let leaving: NodeJS.Timeout | undefined;
terminal.onData((data) => {
  output += data;
  process.stdout.write(data);
  if (prompt.test(output) && output.includes(text)) leaving ??= setInterval(() => terminal.write(ctrlD), betweenTries);
});
terminal.onExit(({ exitCode, signal }) => {
  clearInterval(leaving);
  process.exitCode = signal ? 128 + signal : exitCode;
});
