import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { agentFixture } from './agent-fixture.ts';

const root = join(import.meta.dirname, '../../..');

/** Runs the agent of the guide. Resolves with its URL. */
async function agentOfTheGuide(): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [bundleProgram(join(root, 'examples/05-agent-for-others.ts'))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, AGENT_TOKEN: 'secret' },
  });
  onTestFinished(async () => {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  });
  if (child.stdout === null) throw new Error('it has no output');
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return url;
}

test('the configuration in the guide drives its agent', async () => {
  const page = await readFile(join(root, 'docs/guide/remote.md'), 'utf8');
  const [, configuration = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
  const url = await agentOfTheGuide();
  const { userConfig, write, runWith } = await agentFixture();
  await write(userConfig, configuration.replace('wss://box.example/acp', url));
  expect(await runWith({ BOX_TOKEN: 'secret' }, 'box', 'exec', 'hello')).toEqual({
    code: 0,
    stdout: 'You said: hello\n',
    stderr: '',
  });
});

test('the agent in the guide generates a token if it has none', async () => {
  const child = spawn(process.execPath, [bundleProgram(join(root, 'examples/05-agent-for-others.ts'))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, AGENT_TOKEN: undefined },
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await expect.poll(() => lines.length).toBe(2);
  const exited = once(child, 'exit');
  child.kill();
  await exited;
  expect(lines[1]).toMatch(/^TURNWIRE_TOKEN=[\w-]{43}$/);
});
