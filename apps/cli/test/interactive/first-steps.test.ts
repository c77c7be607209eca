import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inEmulator } from './emulator.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-first-')));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'opencode'), '#!/bin/sh\n');
  await chmod(join(folder, 'bin', 'opencode'), 0o755);
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

const env = (model: string): Record<string, string> => ({
  TURNWIRE_CODER_MODEL: model,
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
  PATH: [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  ...Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /_(?:API_KEY|BASE_URL)$/.test(name))
      .map((name) => [name, '']),
  ),
});

test('without a model the chat says what "offline" is, how to log in, and which agents are installed', async () => {
  const run = inEmulator(['--cwd', folder], { columns: 100, env: env('') });
  const screen = await run.until('turnwire opencode');
  expect(screen.slice(2, 7)).toEqual([
    'The model "offline" is a demo: it does plain instructions, such as "list files", with real tools.',
    '  /login  use a model with a key. No model is set up. Set ANTHROPIC_API_KEY, OPENAI_API_KEY,',
    '          GOOGLE_GENERATIVE_AI_API_KEY or OPENROUTER_API_KEY, log in, or start Ollama; then choose',
    '          the model here.',
    '  turnwire opencode  is another agent, which is installed',
  ]);
});

test('who chose the offline model reads nothing of it', async () => {
  const run = inEmulator(['--cwd', folder], { columns: 100, env: env('offline') });
  await run.until('Offline');
  run.type('list files\r');
  await run.until('✓');
  expect(run.everything.join('\n')).not.toContain('demo');
});
