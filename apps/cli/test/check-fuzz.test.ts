import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readTrace } from '@turnwire/trace/node';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { agentFixture } from './agent-fixture.ts';
import { startSeconds, turnwire } from './command.ts';

/** An agent that dies of the first line that is no JSON. */
const fragile = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: 1 } }));
  else if (id !== undefined && method !== undefined)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
}
`;

test('a failure that fuzzing finds is printed with a command that reproduces it', async () => {
  const { run, project } = await agentFixture();
  await writeFile(join(project, 'fragile.mjs'), fragile);
  const words = ['check', '--fuzz', `${within(20)}s`, '--seed', '5', '--timeout', startSeconds];
  const first = await run(...words, '--', process.execPath, 'fragile.mjs');
  const lines = first.stdout.trimEnd().split('\n');
  // The line as it is printed, and with a trace.
  const printed = (lines.at(-1) ?? '').trim().split(' ').slice(2);
  const again = await run('check', '--trace', 'traces', ...printed);
  const found = /^Failure \((.*)\): /.exec(lines[3] ?? '')?.[1];
  const { side, events } = await readTrace(join(project, 'traces', 'fuzz-1.jsonl')).then(({ header, events }) => ({
    side: header.side,
    events: events.length > 0,
  }));
  expect({
    codes: [first.code, again.code],
    found,
    again: again.stdout.includes(`Failure (${String(found)}): `),
    side,
    events,
  }).toEqual({
    codes: [1, 1],
    found: expect.any(String),
    again: true,
    side: 'client',
    events: true,
  });
});

const message = 'Give a time, such as 60s, 5m or 2h, of up to 500 hours.';
test.each(['soon', '0s', '1.2.3', '600h'])('--fuzz %s is refused', async (time) => {
  const { run } = await agentFixture();
  expect(await run('check', '--fuzz', time, '--', 'x')).toEqual({
    code: 2,
    stdout: '',
    stderr: `turnwire: option '--fuzz <time>' argument '${time}' is invalid. ${message}\nSee turnwire --help.\n`,
  });
});

test.each([
  [['--fuzz-path', '1:2', '--', 'x'], '--fuzz-path needs --fuzz and --seed: repeat the whole printed command'],
  [
    ['--fuzz', '1s', '--fuzz-path', '1:', '--', 'x'],
    '--fuzz-path needs --fuzz and --seed: repeat the whole printed command',
  ],
  [
    ['--fuzz', '1s', '--fuzz-path', 'x:y', '--', 'x'],
    "option '--fuzz-path <path>' argument 'x:y' is invalid. Give the path that --fuzz printed, such as 12:0,3=1.4.",
  ],
  [
    ['--fuzz', '1s', '--only', 'initialize', '--', 'x'],
    "option '--fuzz <time>' cannot be used with option '--only <what>'",
  ],
])('%j is a wrong command line', async (words, said) => {
  const { run } = await agentFixture();
  expect(await run('check', ...words)).toEqual({
    code: 2,
    stdout: '',
    stderr: `turnwire: ${said}\nSee turnwire --help.\n`,
  });
});

test('a fuzz path that reproduces no failure says so instead of searching', async () => {
  const { run, project } = await agentFixture();
  // It answers whatever it is sent, and is right about it.
  const sound = fragile.replace('JSON.parse(line)', 'read(line)').concat(`
function read(line) {
  try {
    const { id, method, jsonrpc } = JSON.parse(line);
    if (jsonrpc === '2.0' && typeof method === 'string') return { id, method: method === 'initialize' ? 'none' : method };
  } catch {}
  return {};
}
`);
  await writeFile(join(project, 'sound.mjs'), sound);
  const { stdout } = await run(
    'check',
    '--fuzz',
    '9s',
    '--seed',
    '5',
    '--fuzz-path',
    '0:0,1',
    '--',
    process.execPath,
    'sound.mjs',
  );
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    'With this seed and these options the path 0:0,1 leads to no failure.',
  );
});

test('an interrupted search reports no failure', async () => {
  const { project } = await agentFixture();
  // It answers nothing, and is waited for.
  const mute = `import { writeFileSync } from 'node:fs'; writeFileSync('started', ''); process.stdin.resume();`;
  await writeFile(join(project, 'mute.mjs'), mute);
  const { code, stdout } = await turnwire(
    ['check', '--fuzz', '500s', '--seed', '5', '--timeout', '400', '--', process.execPath, 'mute.mjs'],
    { cwd: project, meanwhile: (child) => void appears(join(project, 'started')).then(() => child.kill('SIGINT')) },
  );
  expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
    code: 130,
    last: 'No failure was found in this time.',
  });
});

async function appears(file: string): Promise<void> {
  while (!existsSync(file)) await delay(20);
}
