import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isAlive } from '../../../packages/transports/test/process-life.ts';
import { commandWords, plainEnvironment, scripted } from './command.ts';

test('Ctrl-C ends doctor and the agent it examines', async () => {
  const child = spawn(process.execPath, [...commandWords, 'doctor', '--agent', scripted('mute'), '--format', 'json'], {
    env: plainEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const errors = text(child.stderr);
  for await (const chunk of child.stdout) {
    printed.push(String(chunk));
    if (printed.join('').includes('"launch"')) child.kill('SIGINT');
  }
  const [, launch = '{}'] = printed.join('').split('\n');
  const { pid } = (JSON.parse(launch) as { details: { pid: number } }).details;
  expect({ code: (await ended)[0], errors: await errors, isAlive: isAlive(pid) }).toEqual({
    code: 130,
    errors: '',
    isAlive: false,
  });
});
