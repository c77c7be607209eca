import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { commandWords as wordsOf } from '@turnwire/client/node';
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

test('every command of the guide to remote agents works with the agent in it', async () => {
  const page = await readFile(join(root, 'docs/guide/remote.md'), 'utf8');
  const [, block = ''] = /```sh\n([^]*?)```/.exec(page) ?? [];
  const url = await agentOfTheGuide();
  const { project, runWith } = await agentFixture();
  await writeFile(join(project, 'box.headers'), '# for the box\nAuthorization: Bearer secret\n');
  const outcomes: unknown[] = [];
  for (const line of block.trim().split('\n')) {
    const here = line
      .replace('wss://box.example/acp', url)
      .replace('https://box.example/acp', url.replace('ws', 'http'));
    const [, ...words] = wordsOf(here);
    const { code, stdout } = await runWith({ TURNWIRE_TOKEN: 'secret' }, ...words);
    outcomes.push({ line, code, says: line.includes(' exec ') ? stdout : undefined });
  }
  const said = 'You said: hello\n';
  expect(outcomes).toEqual(
    block
      .trim()
      .split('\n')
      .map((line) => ({ line, code: 0, says: line.includes(' exec ') ? said : undefined })),
  );
});

test('the configuration of the guide drives its agent', async () => {
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

test('the agent of the guide makes up a token if it is given none', async () => {
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
