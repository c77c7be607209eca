import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentRoom } from './agent-room.ts';

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

test('what random things bring to light is printed, and can be seen again', async () => {
  const { run, project } = await agentRoom();
  await writeFile(join(project, 'fragile.mjs'), fragile);
  const words = ['check', '--fuzz', '20s', '--seed', '5', '--timeout', '2'];
  const first = await run(...words, '--', process.execPath, 'fragile.mjs');
  const lines = first.stdout.trimEnd().split('\n');
  const [, path = ''] = /--fuzz-path (\S+) /.exec(lines.at(-1) ?? '') ?? [];
  const again = await run(...words, '--fuzz-path', path, '--json', '--', process.execPath, 'fragile.mjs');
  const report = JSON.parse(again.stdout) as { readonly failure?: { readonly rule: string } };
  const found = /^Found \((.*)\): /.exec(lines[3] ?? '')?.[1];
  expect({ codes: [first.code, again.code], found, again: report.failure?.rule }).toEqual({
    codes: [1, 1],
    found: expect.any(String),
    again: found,
  });
});

test.each([
  ['soon', 'Give a number of seconds above 0, such as 90 or 0.5.'],
  ['0s', 'Give a number of seconds above 0, such as 90 or 0.5.'],
])('--fuzz %s is refused', async (time, message) => {
  const { run } = await agentRoom();
  expect(await run('check', '--fuzz', time, '--', 'x')).toEqual({
    code: 2,
    stdout: '',
    stderr: `agentwire: option '--fuzz <time>' argument '${time}' is invalid. ${message}\nSee agentwire --help.\n`,
  });
});
