import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { turnwire, commandWords, plainEnvironment } from './command.ts';
import { ctrlC, ctrlD, enter, inTerminal } from './terminal.ts';

let folder: string;
let provider: Server;
/** What the agent finds: no key, nothing set, nobody on this machine, and a provider that takes one key. */
let env: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwire-coder-'));
  provider = createServer(({ headers }, response) => {
    response.writeHead(headers['x-api-key'] === 'sk-good' ? 200 : 401).end('{}');
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  env = {
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    TURNWIRE_CODER_MODEL: '',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    OLLAMA_HOST: 'http://127.0.0.1:9',
    LMSTUDIO_BASE_URL: 'http://127.0.0.1:9',
    ...Object.fromEntries(keyVariables.map((name) => [name, ''])),
  };
});

afterEach(async () => {
  provider.closeAllConnections();
  provider.close();
  await rm(folder, { recursive: true, force: true });
});

const keyVariables = [
  ...['ANTHROPIC', 'OPENAI', 'GOOGLE_GENERATIVE_AI', 'GEMINI', 'OPENROUTER', 'XAI', 'DEEPSEEK', 'MISTRAL', 'GROQ'].map(
    (name) => `${name}_API_KEY`,
  ),
  'OPENAI_BASE_URL',
  'OPENAI_COMPATIBLE_BASE_URL',
  'VLLM_BASE_URL',
  'LLAMACPP_BASE_URL',
];

const file = (): string => join(folder, 'turnwire/coder/keys.json');
const stored = async (): Promise<unknown> => JSON.parse(await readFile(file(), 'utf8'));

describe('coder login', () => {
  test('coder login takes a key from a program that prints it', async () => {
    const outcome = await turnwire(['coder', 'login', 'anthropic', '--key-stdin'], { stdin: 'sk-good\n', env });
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: `Anthropic accepts the key. It is stored in ${file()}.\n` });
    expect(await stored()).toEqual({ anthropic: 'sk-good' });
  });

  test('coder login asks for provider and key, and never shows the key', async () => {
    const run = inTerminal(['coder', 'login'], { env });
    await run.until('Which provider? [1] ');
    run.type(enter);
    await run.until('Anthropic API key (not shown): ');
    run.type(`sk-good${enter}`);
    await run.until('is stored in');
    expect([await run.exitCode, await stored()]).toEqual([0, { anthropic: 'sk-good' }]);
    expect(run.output).not.toContain('sk-good');
  });

  test.each([
    [ctrlC, 130],
    [ctrlD, 1],
    [enter, 1],
  ])('coder login %j stores nothing and exits with %i', async (keys, code) => {
    const run = inTerminal(['coder', 'login', 'anthropic'], { env });
    await run.until('(not shown): ');
    run.type(keys);
    expect(await run.exitCode).toBe(code);
    await expect(stored()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('coder login does not store a key that the provider rejects', async () => {
    const outcome = await turnwire(['coder', 'login', 'anthropic', '--key-stdin'], { stdin: 'sk-wrong', env });
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: 'Anthropic rejects this key. Nothing was stored.\n' });
    await expect(stored()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.each([
    [['--key-stdin'], 2, /^Name the provider the key is for: anthropic, openai, google, openrouter\.\n$/],
    [[], 2, /^There is no terminal to read the key from\. Give the key on standard input: /],
    [
      ['anthropic'],
      2,
      /^Anthropic .*\n?There is no terminal to read the key from\.|^There is no terminal to read the key from\./,
    ],
    [['anthropic', '--key-stdin'], 1, /^The input on stdin is empty; nothing was stored\.\n$/],
    [['nobody'], 2, /Allowed choices are anthropic, openai, google, openrouter\./],
  ])('coder login %j is refused', async (words, code, stderr) => {
    expect(await turnwire(['coder', 'login', ...words], { env })).toEqual({
      code,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    });
  });
});

test('coder logout deletes keys, and lists those that are still set', async () => {
  await turnwire(['coder', 'login', 'anthropic', '--key-stdin'], { stdin: 'sk-good', env });
  const first = await turnwire(['coder', 'logout'], { env: { ...env, OPENAI_API_KEY: 'sk-other' } });
  const second = await turnwire(['coder', 'logout', 'anthropic'], { env });
  expect([first, second, await stored()]).toEqual([
    {
      code: 0,
      stdout: '',
      stderr: 'Deleted: the key of anthropic.\nStill set in the environment: OPENAI_API_KEY.\n',
    },
    { code: 0, stdout: '', stderr: 'There is no stored key.\n' },
    {},
  ]);
});

describe('coder models', () => {
  test('coder models without a key lists the offline model and explains how to get another', async () => {
    const { stdout, ...rest } = await turnwire(['coder', 'models'], { env: { ...env, ANTHROPIC_BASE_URL: '' } });
    expect([stdout, rest]).toEqual([
      '* offline  Offline (no model configured)\n',
      {
        code: 0,
        stderr: expect.stringMatching(/^No model is set up\. Set ANTHROPIC_API_KEY.*"turnwire coder login"/),
      },
    ]);
  });

  test('coder models with a key lists the models of the provider and marks the one in use', async () => {
    const { stdout, stderr } = await turnwire(['coder', 'models'], { env: { ...env, ANTHROPIC_API_KEY: 'sk-good' } });
    const current = stdout.split('\n').find((line) => line.startsWith('* '));
    expect(current).toMatch(/^\* anthropic\//);
    expect(stderr).toMatch(/^No model is set; anthropic\/\S+ is the first one with a key: ANTHROPIC_API_KEY\.\n$/);
  });

  test('coder models --model selects a model, and an impossible one is refused', async () => {
    const chosen = await turnwire(['coder', 'models', '--model', 'offline'], { env });
    const wrong = await turnwire(['coder', 'models', '--model', 'nobody/none'], { env });
    expect([chosen.stderr, wrong.code, wrong.stderr]).toEqual([
      'offline is set by --model.\n',
      1,
      expect.stringMatching(/^There is no model "nobody\/none" \(chosen by --model\)\./),
    ]);
  });
});

test('the built-in agent and its commands receive its own variables, but no client token and no server secret', async () => {
  const secrets = {
    TURNWIRE_TOKEN: 'hidden',
    TURNWIRE_STORE: 'postgresql://turnwire:hidden@db.example/turnwire',
    TURNWIRE_CLUSTER_SECRET: 'hidden'.repeat(6),
  };
  const { stdout } = await turnwire(['--approve-all', '--format', 'quiet', 'exec', 'run env'], {
    cwd: folder,
    env: { ...env, ...secrets, TURNWIRE_CODER_MODEL: 'offline' },
  });
  expect(stdout).toContain('TURNWIRE_CODER_MODEL=offline');
  expect(stdout).not.toContain('hidden');
});

test('coder serves with the model, limits and sessions of its options', async () => {
  const words = ['coder', '--model', 'offline', '--sessions', join(folder, 'kept'), '--max-steps', '1'];
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
    { id: 2, method: 'session/new', params: { cwd: folder, mcpServers: [] } },
  ];
  const stdin = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const { stdout, code } = await turnwire(words, { stdin, env });
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { id?: number; result?: { configOptions?: { id: string; currentValue: unknown }[] } },
    );
  const model = answers.find(({ id }) => id === 2)?.result?.configOptions?.find(({ id }) => id === 'model');
  expect({ code, model: model?.currentValue }).toEqual({ code: 0, model: 'offline' });
});

test.each([
  [['--max-steps', '0'], "option '--max-steps <count>' argument '0' is invalid. Give a whole number greater than 0."],
  [['--max-cost', 'much'], "option '--max-cost <amount>' argument 'much' is invalid. Give an amount, such as 0.50."],
])('coder %j is a wrong command line', async (words, message) => {
  expect(await turnwire(['coder', ...words])).toEqual({
    code: 2,
    stdout: '',
    stderr: `turnwire: ${message}\nSee turnwire --help.\n`,
  });
});

/** A model's server that says one thing, and keeps what it was asked. */
async function chatServer(): Promise<AsyncDisposable & { readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end();
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      asked.push(body);
      const choice = { index: 0, delta: { content: 'I am here.' }, finish_reason: 'stop' };
      response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the built-in agent driven as a client drives any agent', () => {
  test('the built-in agent accepts an unlisted model and instructions', async () => {
    await using server = await chatServer();
    const told = ['--append-system-prompt', '--model=none is what you say, "always"'];
    const outcome = await turnwire(['--model', 'openai-compatible/any', ...told, 'exec', 'hello'], {
      env: { ...env, XDG_STATE_HOME: folder, OPENAI_COMPATIBLE_BASE_URL: server.url },
    });
    const { messages } = JSON.parse(server.asked[0] ?? '{}') as { messages: { role: string; content: string }[] };
    const last = messages
      .find(({ role }) => role === 'system')
      ?.content.split('\n\n')
      .at(-1);
    expect({ outcome, last }).toEqual({
      outcome: { code: 0, stdout: 'I am here.\n', stderr: '' },
      last: '--model=none is what you say, "always"',
    });
  });

  test('the built-in agent stops at --max-turns, and the notice is on a line of its own', async () => {
    const words = [process.execPath, ...commandWords, '--max-turns', '1', 'exec', 'list files then list files'];
    const { stdout, code } = (await promisify(execFile)('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...words], {
      env: { ...plainEnvironment, ...env, XDG_STATE_HOME: folder },
    }).catch((error: unknown) => error)) as { readonly stdout: string; readonly code?: number };
    expect(code).toBe(11);
    expect(stdout.split('\n').slice(-3)).toEqual([
      'Stopped: this turn has reached its limit of one step. Send “go on” to continue for another turn, or raise the option “Steps per turn”.',
      'turnwire: the agent stopped: it reached its limit of model calls in one turn; ask it to continue',
      '',
    ]);
  });
});
