import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import type { Peer, SessionConfigOption, SessionUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { ModelServer } from '../../../tools/real-agents/model-server.ts';
import { serveCoder } from '../src/index.ts';
import type { CoderOptions } from '../src/index.ts';
import { until } from './coder-process.ts';
import { FaultServer } from './fault-server.ts';
import { ModelFixture } from './model-fixture.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The coder in memory, with a client, in an environment of ours. */
class Coder implements AsyncDisposable {
  readonly updates: SessionUpdate[] = [];
  readonly client: Peer<'client'>;
  readonly #agent: ReturnType<typeof serveCoder>;

  constructor(fixture: ModelFixture, options: CoderOptions = {}) {
    const [here, there] = memoryPair();
    this.#agent = serveCoder({
      env: fixture.env,
      sessions: join(fixture.folder, 'sessions'),
      ...options,
      transport: there,
      selfCheck: true,
    });
    this.client = connectClient(here, { 'session/update': ({ update }) => void this.updates.push(update) });
  }

  static async start(fixture: ModelFixture, options?: CoderOptions): Promise<Coder> {
    const coder = new Coder(fixture, options);
    await coder.client.request('initialize', { protocolVersion });
    return coder;
  }

  async ask(sessionId: string, text: string): Promise<string> {
    const start = this.updates.length;
    await this.client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    const said = this.updates
      .slice(start)
      .map((update) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
      );
    return said.join('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }
}

/** What is chosen of the options that are about models. */
function chosen(options: readonly SessionConfigOption[] | null | undefined): object {
  const own = options?.filter(({ id }) => id === 'model' || id === 'thought_level') ?? [];
  return Object.fromEntries(own.map(({ id, currentValue }) => [id, currentValue]));
}

const project = (fixture: ModelFixture) => ({ cwd: join(fixture.folder, 'project'), mcpServers: [] });

test('a session with a configured model without a key is refused with advice', async () => {
  await using fixture = await ModelFixture.open({ TURNWIRE_CODER_MODEL: 'openai/gpt-6-sol' });
  await using coder = await Coder.start(fixture);
  await expect(coder.client.request('session/new', project(fixture))).rejects.toMatchObject({
    code: -32000,
    message:
      'OpenAI needs a key for openai/gpt-6-sol (chosen by TURNWIRE_CODER_MODEL). Set OPENAI_API_KEY, or log in. Create a key at https://platform.openai.com/api-keys.',
    data: { provider: 'openai', model: 'openai/gpt-6-sol', reason: 'unauthorized', retryable: false },
  });
});

test('model and thought level are dependent options, and both survive a restart of the agent', async () => {
  await using server = await ModelServer.start();
  await using fixture = await ModelFixture.open({
    ANTHROPIC_API_KEY: 'a',
    ANTHROPIC_BASE_URL: server.url,
    OLLAMA_HOST: server.url,
  });
  const seen: object[] = [];
  let sessionId: string;
  {
    await using coder = await Coder.start(fixture);
    const { sessionId: id, configOptions } = await coder.client.request('session/new', project(fixture));
    sessionId = id;
    seen.push(chosen(configOptions));
    const set = async (configId: string, value: string): Promise<void> => {
      seen.push(
        chosen((await coder.client.request('session/set_config_option', { sessionId, configId, value })).configOptions),
      );
    };
    await set('thought_level', 'low');
    await set('model', 'ollama/scripted');
    await set('model', 'anthropic/claude-haiku-4-5');
    expect(await coder.ask(sessionId, 'script: say hello')).toBe('hello');
  }
  await using coder = await Coder.start(fixture);
  seen.push(chosen((await coder.client.request('session/load', { sessionId, ...project(fixture) })).configOptions));
  expect(await coder.ask(sessionId, 'script: say hello again')).toBe('hello again');
  expect(seen).toEqual([
    { model: 'anthropic/claude-sonnet-5', thought_level: 'high' },
    { model: 'anthropic/claude-sonnet-5', thought_level: 'low' },
    { model: 'ollama/scripted' },
    { model: 'anthropic/claude-haiku-4-5', thought_level: 'low' },
    { model: 'anthropic/claude-haiku-4-5', thought_level: 'low' },
  ]);
  const asked = server.requests.filter(({ reply }) => reply !== undefined);
  expect(asked.map(({ body: { model, thinking } }) => ({ model, thinking }))).toEqual([
    { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 4096 } },
    { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 4096 } },
  ]);
});

test('a deleted key is reported when the model is called', async () => {
  await using fixture = await ModelFixture.open({}, { 'data/turnwire/coder/keys.json': '{"google": "g"}' });
  await using coder = await Coder.start(fixture);
  const { sessionId, configOptions } = await coder.client.request('session/new', project(fixture));
  expect(chosen(configOptions)).toEqual({ model: 'google/gemini-3.8-flash', thought_level: 'medium' });
  await rm(join(fixture.folder, 'data'), { recursive: true });
  await expect(coder.ask(sessionId, 'hello')).rejects.toMatchObject({
    code: -32000,
    data: { model: 'google/gemini-3.8-flash', reason: 'unauthorized' },
  });
});

test('models that are found late are sent to the client', async () => {
  const held: (() => void)[] = [];
  await using server = await FaultServer.start();
  server.models = ['qwen3:8b'];
  server.beforeList = () => new Promise((resolve) => held.push(resolve));
  await using fixture = await ModelFixture.open({ OLLAMA_HOST: server.url });
  await using coder = await Coder.start(fixture);
  await coder.client.request('session/new', project(fixture));
  for (const release of held) release();
  await until(() => coder.updates.some(({ sessionUpdate }) => sessionUpdate === 'config_option_update'));
  const update = coder.updates.find((each) => each.sessionUpdate === 'config_option_update');
  expect(JSON.stringify(update)).toContain('"ollama/qwen3:8b"');
});

test('a model that the program passes is the only one', async () => {
  await using fixture = await ModelFixture.open({ ANTHROPIC_API_KEY: 'a' });
  const { offlineModel } = await import('../src/index.ts');
  await using coder = await Coder.start(fixture, { model: offlineModel });
  expect(chosen((await coder.client.request('session/new', project(fixture))).configOptions)).toEqual({});
});

test('errors in the settings file are shown once, in the first turn', async () => {
  await using fixture = await ModelFixture.open(
    { TURNWIRE_CODER_MODEL: 'offline' },
    { 'config/turnwire/coder.json': '{"modle": "x"}' },
  );
  await using coder = await Coder.start(fixture);
  const { sessionId } = await coder.client.request('session/new', project(fixture));
  const said = [await coder.ask(sessionId, 'list files'), await coder.ask(sessionId, 'list files')];
  const shown = said.map((text) =>
    text.includes(
      `${join(fixture.folder, 'config/turnwire/coder.json')}:1:2: there is no setting "modle"; it is left out.`,
    ),
  );
  expect(shown).toEqual([true, false]);
});

test('warnings of provider packages do not reach stdout', async () => {
  await using server = await ModelServer.start();
  await using fixture = await ModelFixture.open({
    ANTHROPIC_API_KEY: 'a',
    ANTHROPIC_BASE_URL: server.url,
    TURNWIRE_CODER_MODEL: 'anthropic/claude-of-tomorrow',
  });
  const child = spawn(process.execPath, [bundleProgram(main)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], ...fixture.env },
  });
  const frames: Record<string, unknown>[] = [];
  try {
    const send = (id: number, method: string, params: object): unknown =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    send(1, 'initialize', { protocolVersion });
    send(2, 'session/new', project(fixture));
    for await (const line of createInterface({ input: child.stdout })) {
      const frame = JSON.parse(line) as { readonly id?: number; readonly result?: { readonly sessionId?: string } };
      frames.push(frame as Record<string, unknown>);
      if (frame.id === 2)
        send(3, 'session/prompt', {
          sessionId: frame.result?.sessionId,
          prompt: [{ type: 'text', text: 'script: say hello' }],
        });
      if (frame.id === 3) break;
    }
  } finally {
    child.kill();
  }
  expect(frames.at(-1)).toMatchObject({ id: 3, result: { stopReason: 'end_turn' } });
  expect(frames.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
});

test('/model accepts an unlisted model that has a provider and a key', async () => {
  await using server = await ModelServer.start();
  await using fixture = await ModelFixture.open({ ANTHROPIC_API_KEY: 'a', ANTHROPIC_BASE_URL: server.url });
  await using coder = await Coder.start(fixture);
  const { sessionId } = await coder.client.request('session/new', project(fixture));
  const said = [
    await coder.ask(sessionId, '/model openai/gpt-6-sol'),
    await coder.ask(sessionId, '/model nobody/x'),
    await coder.ask(sessionId, '/model anthropic/claude-of-tomorrow'),
    await coder.ask(sessionId, 'script: say hello'),
  ];
  expect(said.map((text) => text.split('\n')[0])).toEqual([
    'OpenAI needs a key for openai/gpt-6-sol. Set OPENAI_API_KEY, or log in. Create a key at https://platform.openai.com/api-keys.',
    'There is no model "nobody/x".',
    'The model is now `anthropic/claude-of-tomorrow`.',
    'hello',
  ]);
  expect(server.requests.at(-1)?.body['model']).toBe('claude-of-tomorrow');
});
