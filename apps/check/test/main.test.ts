import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { bundleProgram } from '../../../tools/bundle-program.mjs';

const program = bundleProgram(fileURLToPath(new URL('fixtures/run.mjs', import.meta.url)));

/** An agent that has a version nobody asked for, and answers everything else with an error. */
const agent = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const answer =
    method === 'initialize'
      ? { result: { protocolVersion: 'one\\u001b[2J', agentInfo: { name: 'tiny', version: '1' } } }
      : { error: { code: -32601, message: 'no' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}
`;

async function check(
  ...words: readonly string[]
): Promise<{ code: unknown; stdout: string; stderr: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-check-'));
  await writeFile(join(folder, 'agent.mjs'), agent);
  return new Promise((resolve) =>
    execFile(process.execPath, [program, ...words], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr, folder }),
    ),
  );
}

test(
  'an agent is checked, and reports are written, by a program that needs nothing else',
  async () => {
    const { code, stdout, stderr, folder } = await check('--json', 'r.json', '--', process.execPath, 'agent.mjs');
    const { conclusion, introduction } = JSON.parse(await readFile(join(folder, 'r.json'), 'utf8')) as {
      readonly conclusion: string;
      readonly introduction: object;
    };
    const lines = stdout.trimEnd().split('\n');
    expect({
      ...{ code, stderr, conclusion, introduction },
      version: lines.find((line) => line.startsWith('✗ R039')),
      last: lines.at(-1)?.replaceAll(/\d+/g, 'n'),
      // oxlint-disable-next-line no-control-regex -- that there are none is what is tested
      control: /[\u0000-\u0009\u000b-\u001f]/.test(stdout),
    }).toEqual({
      code: 1,
      stderr: '',
      conclusion: 'not conforming',
      introduction: { name: 'tiny', version: '1' },
      version: '✗ R039 MUST: protocolVersion is a single unsigned 16-bit integer (major only)',
      last: expect.stringMatching(/^Does not conform: it breaks /),
      control: false,
    });
  },
  within(90_000),
);

test.each([
  [['--level', 'may', '--', 'x'], '--level is must or should'],
  [['--profile', 'v2', '--', 'x'], '--profile is proposal, dialect or unstable'],
  [['--jobs', '0', '--', 'x'], '--jobs is a number of at least 1'],
])('%j is no command line', async (words, message) => {
  const { code, stderr } = await check(...words);
  expect([code, stderr.split('\n', 1)[0]]).toEqual([2, `turnwire-check: ${message}`]);
});
