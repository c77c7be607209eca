import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { turnwire } from './command.ts';
import { sessionFixture } from './session-fixture.ts';

const run = promisify(execFile);

async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await turnwire(['completion-candidates', '--', ...words]);
  return stdout.trimEnd().split('\n');
}

describe('shell completion', () => {
  test('the first word completes to a command or an agent', async () => {
    expect(await complete('ex')).toEqual(['words', 'exec']);
    expect(await complete('cod')).toEqual(['words', 'coder', 'codex']);
    expect(await complete('sessions', 'e')).toEqual(['words', 'ensure', 'export']);
    // What shells call is not for people.
    expect(await complete('comp')).toEqual(['words', 'compat', 'completion']);
    expect(await complete('coder', 'log')).toEqual(['words', 'login', 'logout']);
  });

  test('an argument completes to the values of the command', async () => {
    expect(await complete('coder', 'login', 'open')).toEqual(['words', 'openai', 'openrouter']);
    expect(await complete('completion', 'z')).toEqual(['words', 'zsh']);
  });

  test('an option completes, and then its value', async () => {
    expect(await complete('exec', '--deny')).toEqual(['words', '--deny-all']);
    expect(await complete('exec', '--format', '')).toEqual(['words', 'text', 'json', 'quiet']);
    expect(await complete('exec', '--file', '')).toEqual(['files']);
  });

  test('-s completes to the names of sessions', async () => {
    const { run: runHere, bare } = await sessionFixture();
    await runHere(['sessions', 'new', '--name', 'api']);
    const { stdout } = await bare(['completion-candidates', '--', 'prompt', '-s', '']);
    expect(stdout).toBe('words\napi\n');
  });
});

test('every shell gets a script, and bash accepts its own', async () => {
  const bash = (await turnwire(['completion', 'bash'])).stdout;
  expect(await run('bash', ['-c', `${bash}\ncomplete -p turnwire`])).toMatchObject({
    stdout: 'complete -F _turnwire turnwire\n',
  });
  expect((await turnwire(['completion', 'zsh'])).stdout).toMatch(/^#compdef turnwire\n/);
  expect((await turnwire(['completion', 'fish'])).stdout).toContain('complete -c turnwire');
  expect((await turnwire(['completion', 'powershell'])).code).toBe(2);
});
