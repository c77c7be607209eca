// node tap.mjs LOG COMMAND …: runs an agent, and appends every line between it and its client to LOG.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

const [log, program, ...words] = process.argv.slice(2);
const file = createWriteStream(log, { flags: 'a' });
const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
const pass = (input, output) =>
  createInterface({ input })
    .on('line', (line) => {
      file.write(`${line}\n`);
      output.write(`${line}\n`);
    })
    .on('close', () => output.end());
pass(process.stdin, child.stdin);
pass(child.stdout, process.stdout);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('close', (code) => file.end(() => process.exit(code ?? 1)));
