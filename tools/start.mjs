// npm start [-- ARGS …]: makes the clone ready, then runs `turnwire ARGS …` in the folder npm was called from.
// Plain JavaScript without a dependency: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepareOrExit } from './prepare.mjs';
import { root } from './run.mjs';

await prepareOrExit();

const bin = join(root, 'apps/cli/bin/turnwire.js');
const command = spawn(process.execPath, [bin, ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: 'inherit',
  // Advice that the command prints begins with this: no program called `turnwire` is installed.
  env: { ...process.env, TURNWIRE_STARTED_AS: 'npm start --' },
});

// A Ctrl-C at a terminal reaches the command directly; npm's copy of it, and the signal of a supervisor, only through this process.
// The command counts a signal that arrives twice at once as one.
const passOn = (signal) => command.kill(signal);
const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];
for (const signal of signals) process.on(signal, passOn);

command.on('error', (error) => {
  console.error(`turnwire could not be started: ${error.message}`);
  process.exitCode = 1;
});
command.on('exit', (code, signal) => {
  for (const each of signals) process.off(each, passOn);
  if (signal === null) process.exitCode = code;
  else process.kill(process.pid, signal);
});
