import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { bundleProgram } from '../../../tools/bundle-program.mjs';

const program = bundleProgram(fileURLToPath(new URL('fixtures/run.mjs', import.meta.url)));

const agent = fileURLToPath(new URL('fixtures/tiny-agent.sh', import.meta.url));

async function check(
  ...args: readonly string[]
): Promise<{ code: unknown; stdout: string; stderr: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-check-'));
  await copyFile(agent, join(folder, 'agent.sh'));
  return new Promise((resolve) =>
    execFile(process.execPath, [program, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr, folder }),
    ),
  );
}

test(
  'the bundled program checks an agent and writes a report',
  async () => {
    const { code, stdout, stderr, folder } = await check('--json', 'r.json', '--', 'sh', 'agent.sh');
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
  [['--level', 'may', '--', 'x'], '--level must be must or should'],
  [['--profile', 'v2', '--', 'x'], '--profile must be proposal, dialect or unstable'],
  [['--jobs', '0', '--', 'x'], '--jobs must be a number of at least 1'],
])('%j is refused with a message', async (args, message) => {
  const { code, stderr } = await check(...args);
  expect([code, stderr.split('\n', 1)[0]]).toEqual([2, `turnwire-check: ${message}`]);
});
