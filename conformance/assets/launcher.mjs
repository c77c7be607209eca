#!/usr/bin/env node
// Stands in for the agent that a client starts, under remote control: forwards its input to the socket next to this file, and executes
// the commands from that socket. A frame is a letter, the length in four bytes, and that many bytes.
import { closeSync, writeSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const { TURNWIRE_CHECK_SOCKET = join(folder, 'agent.sock') } = process.env;
const kit = createConnection(TURNWIRE_CHECK_SOCKET);

function report(letter, bytes = Buffer.alloc(0)) {
  const head = Buffer.alloc(5);
  head.write(letter, 0, 'latin1');
  head.writeUInt32BE(bytes.length, 1);
  kit.write(Buffer.concat([head, bytes]));
}

const commands = {
  // Bytes for stdout, and for stderr. Like most programs, the launcher blocks while its stderr is not read.
  o: (bytes) => void process.stdout.write(bytes),
  r: (bytes) => {
    isStopped = true;
    process.stderr.write(bytes, () => {
      isStopped = false;
      runCommands();
    });
  },
  // Written synchronously, so that nothing is read until all of it is written; and repeated here, because several frames would leave time
  // to read in between.
  n: (bytes) => {
    const { text, times } = JSON.parse(String(bytes));
    for (let rest = Buffer.from(text.repeat(times)); rest.length > 0;) {
      try {
        rest = rest.subarray(writeSync(1, rest));
      } catch (error) {
        if (error.code !== 'EAGAIN') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
  },
  // Closed by its descriptor, because Node.js leaves the pipe open.
  c: () => void process.stdout.write('', () => closeSync(1)),
  // Output that is on its way to the client arrives first; after two seconds without a reader the process exits anyway.
  q: (bytes) => {
    setTimeout(() => process.exit(Number(String(bytes))), 2_000).unref();
    process.stderr.write('', () => process.stdout.write('', () => process.exit(Number(String(bytes)))));
  },
  k: (bytes) => process.stdout.write('', () => die(String(bytes))),
};

function die(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

let rest = Buffer.alloc(0);
let isStopped = false;
kit.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  runCommands();
});

function runCommands() {
  while (!isStopped && rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
    const end = 5 + rest.readUInt32BE(1);
    const [letter, bytes] = [rest.toString('latin1', 0, 1), rest.subarray(5, end)];
    rest = rest.subarray(end);
    commands[letter]?.(bytes);
  }
}
// The kit has disconnected.
kit.on('error', () => process.exit(70));
kit.on('close', () => process.exit(0));
// The kit notices a client that does not read, or has exited, by its silence.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const { argv, env, pid, ppid } = process;
report('h', Buffer.from(JSON.stringify({ pid, ppid, args: argv.slice(2), env, cwd: process.cwd() })));
process.stdin.on('data', (bytes) => report('i', bytes));
process.stdin.on('error', () => report('e'));
process.stdin.once('end', () => report('e'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => report('s', Buffer.from(signal)));
