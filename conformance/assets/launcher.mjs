#!/usr/bin/env node
// Stands where a client expects its agent, and is moved from afar: whatever comes in goes to the socket beside this file, and what the
// socket says is done. Every frame is a letter, a length in four bytes, and that many bytes.
import { closeSync, writeSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const { TURNWIRE_CHECK_SOCKET = join(folder, 'agent.sock') } = process.env;
const kit = createConnection(TURNWIRE_CHECK_SOCKET);

function tell(letter, bytes = Buffer.alloc(0)) {
  const head = Buffer.alloc(5);
  head.write(letter, 0, 'latin1');
  head.writeUInt32BE(bytes.length, 1);
  kit.write(Buffer.concat([head, bytes]));
}

const told = {
  // Bytes for stdout, and for stderr. As most programs do it stops where nobody reads its stderr.
  o: (bytes) => void process.stdout.write(bytes),
  r: (bytes) => {
    isStopped = true;
    process.stderr.write(bytes, () => {
      isStopped = false;
      goOn();
    });
  },
  // By hand, for nothing is read until all of it is written; and made here, for what comes in several frames leaves time to read between.
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
  // By hand: Node.js leaves a pipe open.
  c: () => void process.stdout.write('', () => closeSync(1)),
  // What is on its way to the client arrives first. If nobody reads, nothing waits for that.
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
  goOn();
});

function goOn() {
  while (!isStopped && rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
    const end = 5 + rest.readUInt32BE(1);
    const [letter, bytes] = [rest.toString('latin1', 0, 1), rest.subarray(5, end)];
    rest = rest.subarray(end);
    told[letter]?.(bytes);
  }
}
// Nobody moves it any more.
kit.on('error', () => process.exit(70));
kit.on('close', () => process.exit(0));
// A client that does not read, or has gone, is seen from afar by its silence.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const { argv, env, pid, ppid } = process;
tell('h', Buffer.from(JSON.stringify({ pid, ppid, args: argv.slice(2), env, cwd: process.cwd() })));
process.stdin.on('data', (bytes) => tell('i', bytes));
process.stdin.on('error', () => tell('e'));
process.stdin.once('end', () => tell('e'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => tell('s', Buffer.from(signal)));
