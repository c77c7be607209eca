import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CoderProcess } from './coder-process.ts';
import { ToolFixture } from './tool-fixture.ts';

/** The keys of the agent's models, and an unrelated one. */
const modelKeys = {
  ANTHROPIC_API_KEY: 'k1',
  OPENAI_API_KEY: 'k2',
  OPENAI_COMPATIBLE_API_KEY: 'k3',
  GOOGLE_GENERATIVE_AI_API_KEY: 'k4',
  GEMINI_API_KEY: 'k5',
  OPENROUTER_API_KEY: 'k6',
  MISTRAL_API_KEY: 'k7',
  VLLM_API_KEY: 'k8',
  CORP_API_KEY: 'k9',
};
const names = [...Object.keys(modelKeys), 'WEATHER_API_KEY'];
const show = `env | grep -E "^(${names.join('|')})=" | sort`;

let state = '';

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'coder-keys-'));
});

afterEach(() => rm(state, { recursive: true, force: true }));

/** What a command finds in its environment, with these settings of the user and of the project. */
async function found(settings: object, project: object = {}): Promise<readonly string[]> {
  await mkdir(join(state, 'config/turnwire'), { recursive: true });
  const corp = { corp: { baseUrl: 'http://127.0.0.1:9' } };
  await writeFile(join(state, 'config/turnwire/coder.json'), JSON.stringify({ providers: corp, ...settings }));
  await using coder = await CoderProcess.start(state, { ...modelKeys, WEATHER_API_KEY: 'mine' });
  const session = await coder.open({ 'show.sh': show, '.turnwire/coder.json': JSON.stringify(project) });
  const { said } = await session.prompt('run sh show.sh');
  return said.split('\n').filter((line) => /^\w+=/.test(line));
}

test('a command inherits the environment except keys of model providers', async () => {
  expect(await found({})).toEqual(['WEATHER_API_KEY=mine']);
});

test("commands inherit the keys if the user's settings allow it; a project's settings cannot", async () => {
  const all = Object.entries({ ...modelKeys, WEATHER_API_KEY: 'mine' }).map(([name, value]) => `${name}=${value}`);
  expect(await found({ passKeysToCommands: true })).toEqual(all.toSorted());
  expect(await found({}, { passKeysToCommands: true })).toEqual(['WEATHER_API_KEY=mine']);
});

test('background commands and client terminals inherit no keys either', async () => {
  const before = process.env['VLLM_API_KEY'];
  process.env['VLLM_API_KEY'] = 'secret';
  try {
    await using fixture = await ToolFixture.open();
    await fixture.use('execute', { command: 'echo "[$VLLM_API_KEY]"', background: true });
    let text = '';
    while (!text.includes(']')) text += (await fixture.use('execute', { id: 'background-1' })).text;
    expect(text).toContain('\n[]');
    expect(await askedOfTerminal()).toContainEqual({ name: 'VLLM_API_KEY', value: '' });
  } finally {
    if (before === undefined) delete process.env['VLLM_API_KEY'];
    else process.env['VLLM_API_KEY'] = before;
  }
});

/** The variables that a client is asked to set in a terminal. */
async function askedOfTerminal(): Promise<readonly unknown[]> {
  const asked: unknown[] = [];
  await using fixture = await ToolFixture.open({
    capabilities: { terminal: true },
    handlers: {
      'terminal/create': ({ env = [] }) => {
        asked.push(...env);
        return { terminalId: 't1' };
      },
      'terminal/wait_for_exit': () => ({ exitCode: 0 }),
      'terminal/output': () => ({ output: '', truncated: false }),
      'terminal/release': () => ({}),
    },
  });
  await fixture.use('execute', { command: 'true' });
  return asked;
}
