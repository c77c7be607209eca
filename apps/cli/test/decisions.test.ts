import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionFixture } from './session-fixture.ts';

const git = `wants {"kind":"execute","rawInput":{"command":"git status"}}`;

async function decisionsIn(state: string): Promise<unknown> {
  const text = await readFile(join(state, 'turnwire', 'decisions.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { allowed, by, action } = JSON.parse(line) as { allowed: boolean; by: string; action: { kind: string } };
      return { allowed, by, kind: action.kind };
    });
}

test('permission decisions are recorded with and without a session', async () => {
  const { run, state } = await sessionFixture();
  await run(['exec', '--policy', '{"autoApprove": ["Bash(git *)"]}', git]);
  await run(['sessions', 'ensure']);
  await run(['prompt', '--policy', '{"autoDeny": ["Bash(git *)"]}', git]);
  await run(['chat'], { stdin: `${git}\n` });
  expect(await decisionsIn(state)).toEqual([
    { allowed: true, by: 'rules', kind: 'execute' },
    { allowed: false, by: 'rules', kind: 'execute' },
    { allowed: false, by: 'user', kind: 'execute' },
  ]);
});

test('a failing decision log does not disturb the turn, and --verbose warns once', async () => {
  const { run, state } = await sessionFixture();
  await mkdir(join(state, 'turnwire', 'decisions.jsonl'), { recursive: true });
  const warning = /decisions are not written to .*decisions\.jsonl: /g;
  const quiet = await run(['exec', '--approve-all', git]);
  const verbose = await run(['exec', '--approve-all', '--verbose', git]);
  expect({ quiet, code: verbose.code, warnings: verbose.stderr.match(warning)?.length }).toEqual({
    quiet: { code: 0, stdout: 'yes\n', stderr: '' },
    code: 0,
    warnings: 1,
  });
});
