import type { SessionConfigOption } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { knownModel, knownModels } from '../src/model/known-models.ts';
import type { ModelCatalog } from '../src/model/model-catalog.ts';
import { providers } from '../src/model/providers/providers.ts';
import { FaultServer, refuses, saysNothing } from './fault-server.ts';
import { heard, ModelFixture } from './model-fixture.ts';

const nobody = { model: undefined, thoughtLevel: undefined };

/** The values of the option `model` by provider, and the current one. */
function offer(models: ModelCatalog, choice: Parameters<ModelCatalog['options']>[0] = nobody): object {
  const [model] = models.options(choice);
  return { chosen: model?.currentValue, ...Object.fromEntries(groupsOf(model)) };
}

function groupsOf(option: SessionConfigOption | undefined): readonly (readonly [string, readonly string[]])[] {
  const values =
    option?.type === 'select' ? option.options.map((each) => ('value' in each ? each.value : 'a group')) : [];
  const providerOf = (value: string): string => value.split('/')[0] ?? value;
  return [...new Set(values.map(providerOf))].map((provider) => [
    provider,
    values.filter((value) => providerOf(value) === provider),
  ]);
}

test('without configuration there is only the offline model, which says how to add another', async () => {
  await using fixture = await ModelFixture.open();
  const models = await fixture.models();
  expect(models.options(nobody)).toEqual([
    {
      id: 'model',
      name: 'Model',
      description:
        'No model is set up. Set ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or OPENROUTER_API_KEY, log in, or start Ollama; then choose the model here.',
      category: 'model',
      type: 'select',
      currentValue: 'offline',
      options: [
        {
          value: 'offline',
          name: 'Offline (no model configured)',
          description: 'Follows plain instructions; needs no key and no network.',
        },
      ],
    },
  ]);
  expect(await models.open(nobody)).toMatchObject({ id: 'offline', model: { modelId: 'offline' } });
});

test('a key brings the models of its provider, and sessions begin with one of them', async () => {
  await using fixture = await ModelFixture.open({ ANTHROPIC_API_KEY: 'a' });
  const [model, thought] = (await fixture.models()).options(nobody);
  expect(model).toMatchObject({ currentValue: 'anthropic/claude-sonnet-5', description: 'The model that answers.' });
  expect(groupsOf(model)).toEqual([
    ['anthropic', expect.arrayContaining(['anthropic/claude-sonnet-5'])],
    ['offline', ['offline']],
  ]);
  expect(thought).toEqual({
    id: 'thought_level',
    name: 'Thinking',
    description: 'How long the model thinks before it answers.',
    category: 'thought_level',
    type: 'select',
    currentValue: 'high',
    options: [
      { value: 'off', name: 'Off' },
      { value: 'low', name: 'Low' },
      { value: 'medium', name: 'Medium' },
      { value: 'high', name: 'High' },
      { value: 'xhigh', name: 'Extra high' },
      { value: 'max', name: 'Maximum' },
    ],
  });
});

test('models of all providers are in one list, each with its provider, and all names are unique', async () => {
  await using fixture = await ModelFixture.open({ ANTHROPIC_API_KEY: 'a', OPENROUTER_API_KEY: 'r' });
  const [model] = (await fixture.models()).options(nobody);
  const options = model?.type === 'select' ? model.options.filter((each) => 'value' in each) : [];
  const sonnet = options.filter(({ value }) => value.endsWith('claude-sonnet-5'));
  expect([
    sonnet.map(({ name, description }) => [name, description?.split(';')[0]]),
    new Set(options.map(({ name }) => name)).size,
  ]).toEqual([
    [
      ['Sonnet 5 (Anthropic)', 'Anthropic'],
      ['Sonnet 5 (OpenRouter)', 'OpenRouter'],
    ],
    options.length,
  ]);
});

test('a key can come from the key file or the settings', async () => {
  await using stored = await ModelFixture.open({}, { 'data/turnwire/coder/keys.json': '{"openai": "o"}' });
  await using set = await ModelFixture.open(
    {},
    { 'config/turnwire/coder.json': '{"providers": {"google": {"apiKey": "g"}}}' },
  );
  expect([offer(await stored.models()), offer(await set.models())]).toMatchObject([
    { chosen: 'openai/gpt-6-sol' },
    { chosen: 'google/gemini-3.8-flash' },
  ]);
});

test('a broken key file does not keep a session from starting, and is reported when a key of it is needed', async () => {
  await using fixture = await ModelFixture.open({}, { 'data/turnwire/coder/keys.json': 'oops' });
  const models = await fixture.models();
  expect(offer(models)).toEqual({ chosen: 'offline', offline: ['offline'] });
  await expect(models.open({ ...nobody, model: 'openai/x' })).rejects.toThrow(
    /^OpenAI needs a key .*keys\.json is not valid JSON/,
  );
});

test('an unknown model can be chosen and is offered from then on', async () => {
  await using fixture = await ModelFixture.open({
    OPENROUTER_API_KEY: 'r',
    TURNWIRE_CODER_MODEL: 'openrouter/new/model:free',
  });
  const models = await fixture.models();
  expect(offer(models)).toMatchObject({
    chosen: 'openrouter/new/model:free',
    openrouter: expect.arrayContaining([
      'openrouter/new/model:free',
      'openrouter/anthropic/claude-sonnet-5',
    ]) as unknown,
  });
  const { id, model, contextWindow, price, takes } = await models.open(nobody);
  expect({ id, modelId: model.modelId, contextWindow, price, takes }).toEqual({
    id: 'openrouter/new/model:free',
    modelId: 'new/model:free',
    contextWindow: undefined,
    price: undefined,
    takes: { image: true, audio: false, pdf: false },
  });
});

test('the known facts about a model come with it', async () => {
  await using fixture = await ModelFixture.open({ ANTHROPIC_API_KEY: 'a' });
  const { contextWindow, price, takes, siblings, secrets } = await fixture.choose(
    'anthropic/claude-haiku-4-5-20251001',
  );
  expect({ contextWindow, price, takes, secrets }).toEqual({
    contextWindow: 200_000,
    price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    takes: { image: true, audio: false, pdf: true },
    secrets: ['a'],
  });
  expect(siblings).toContain('anthropic/claude-sonnet-5');
});

test('a thought level that the model lacks falls back to its default', async () => {
  await using fixture = await ModelFixture.open({ OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' });
  const chosen = await fixture.choose('anthropic/claude-haiku-4-5', 'xhigh');
  expect(chosen.providerOptions).toEqual({
    anthropic: { cacheControl: { type: 'ephemeral' }, thinking: { type: 'enabled', budgetTokens: 12_288 } },
  });
});

test('local servers are offered without configuration, but not chosen by default', async () => {
  await using server = await FaultServer.start();
  server.models = ['qwen3:8b', 'gpt-oss:20b', 'nomic-embed-text'];
  await using fixture = await ModelFixture.open({ OLLAMA_HOST: server.url });
  expect(offer(await fixture.models())).toEqual({
    chosen: 'offline',
    ollama: ['ollama/qwen3:8b', 'ollama/gpt-oss:20b'],
    offline: ['offline'],
  });
});

test('a server that comes or goes changes what is offered', async () => {
  await using server = await FaultServer.start();
  await using fixture = await ModelFixture.open({ OLLAMA_HOST: server.url });
  const models = await fixture.models();
  const seen = [offer(models), await models.refresh()];
  server.models = ['qwen3:8b'];
  seen.push(await models.refresh(), offer(models), await models.refresh());
  server.models = undefined;
  seen.push(await models.refresh(), offer(models));
  const without = { chosen: 'offline', offline: ['offline'] };
  expect(seen).toEqual([without, false, true, { ...without, ollama: ['ollama/qwen3:8b'] }, false, true, without]);
});

test('models of a slow server are added after the session has begun', async () => {
  const held: (() => void)[] = [];
  await using server = await FaultServer.start();
  server.beforeList = () => new Promise((resolve) => held.push(resolve));
  server.models = ['qwen3:8b'];
  await using fixture = await ModelFixture.open({ OLLAMA_HOST: server.url });
  const models = await fixture.models();
  const before = offer(models);
  for (const release of held) release();
  expect([before, await models.late, offer(models)]).toEqual([
    { chosen: 'offline', offline: ['offline'] },
    true,
    { chosen: 'offline', ollama: ['ollama/qwen3:8b'], offline: ['offline'] },
  ]);
});

test('a connection attempt to a server that never answers ends', async () => {
  await using server = await FaultServer.start(saysNothing);
  server.beforeList = () => new Promise(() => undefined);
  await using fixture = await ModelFixture.open({ OLLAMA_HOST: server.url });
  expect(await (await fixture.models()).late).toBe(false);
});

test("a provider from the user's settings is offered with its models", async () => {
  await using server = await FaultServer.start();
  server.models = ['found'];
  const settings = { providers: { corp: { baseUrl: server.url, apiKey: 'k', models: ['big/one'] } } };
  await using fixture = await ModelFixture.open({}, { 'config/turnwire/coder.json': JSON.stringify(settings) });
  const models = await fixture.models();
  expect(offer(models)).toEqual({ chosen: 'corp/big/one', corp: ['corp/big/one', 'corp/found'], offline: ['offline'] });
  expect((await models.open({ ...nobody, model: 'corp/big/one' })).provider).toEqual({
    name: 'corp',
    keyVariable: 'CORP_API_KEY',
    keysAt: undefined,
    baseUrl: `${server.url}/v1`,
    baseUrlVariable: undefined,
    isLocal: true,
  });
});

test('a server with a configured address is used, with the first model it lists', async () => {
  await using server = await FaultServer.start();
  server.models = ['served', 'other'];
  const held: (() => void)[] = [];
  await using fixture = await ModelFixture.open({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.url });
  const models = await fixture.models();
  server.beforeList = () => new Promise((resolve) => held.push(resolve));
  const late = await fixture.models();
  const opened = late.open(nobody);
  for (const release of held) release();
  expect([models.options(nobody)[0]?.currentValue, models.options(nobody)[0]?.description, (await opened).id]).toEqual([
    'openai-compatible/served',
    'The model that answers.',
    'openai-compatible/served',
  ]);
});

test('a configured server without models is reported, also before the first answer of the offline model', async () => {
  await using fixture = await ModelFixture.open({
    VLLM_BASE_URL: 'http://user:secret@127.0.0.1:9',
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  });
  const models = await fixture.models();
  const said =
    'The server at http://127.0.0.1:9/v1 does not list its models. Start it, or choose one of its models as vllm/NAME.';
  const chosen = [await models.open(nobody), await models.open(nobody)];
  expect([models.options(nobody)[0], ...chosen.map(({ id, warning }) => ({ id, warning }))]).toEqual([
    expect.objectContaining({ currentValue: 'offline', description: said }),
    { id: 'offline', warning: said },
    { id: 'offline', warning: undefined },
  ]);
});

test.each([
  ['vllm', 'VLLM_BASE_URL', { id: 'm', max_model_len: 8192 }, undefined],
  ['openai-compatible', 'OPENAI_BASE_URL', { id: 'm', context_length: 8192 }, undefined],
  ['openai-compatible', 'OPENAI_BASE_URL', { id: 'm', context_window: 8192, max_model_len: '9' }, undefined],
  [
    'lmstudio',
    'LMSTUDIO_BASE_URL',
    { id: 'm' },
    ['/api/v0/models', { data: [{ id: 'm', loaded_context_length: 8192, max_context_length: 9 }] }],
  ],
  [
    'llamacpp',
    'LLAMACPP_BASE_URL',
    { id: 'm', context_length: 9 },
    ['/props', { default_generation_settings: { n_ctx: 8192 } }],
  ],
  ['ollama', 'OLLAMA_HOST', { id: 'm' }, ['/api/ps', { models: [{ name: 'm', context_length: 8192 }] }]],
] as const)('the size of the context is asked of the server: %s, %s, %j', async (provider, variable, model, more) => {
  await using server = await FaultServer.start();
  server.models = [model];
  if (more) server.answers.set(more[0], more[1]);
  await using fixture = await ModelFixture.open({ [variable]: server.url });
  expect((await fixture.choose(`${provider}/m`)).contextWindow).toBe(8192);
});

test('the price is fetched from a server that lists it, unless it is configured or varies', async () => {
  await using server = await FaultServer.start();
  const pricing = { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' };
  const listed = [
    { id: 'paid', context_length: 8192, pricing },
    { id: 'free', pricing: { prompt: '0', completion: '0' } },
    { id: 'varies', pricing: { prompt: '-1', completion: '-1' } },
    { id: 'set', pricing },
  ];
  server.models = listed;
  const providers = { openrouter: { models: [{ name: 'set', price: { input: 1, output: 2 } }] } };
  await using fixture = await ModelFixture.open(
    { OPENROUTER_BASE_URL: server.url, OPENROUTER_API_KEY: 'k' },
    { 'config/turnwire/coder.json': JSON.stringify({ providers }) },
  );
  const prices = ['paid', 'free', 'varies', 'set'].map(async (name) => {
    const { price } = await fixture.choose(`openrouter/${name}`);
    return price && JSON.parse(JSON.stringify(price));
  });
  expect(await Promise.all(prices)).toEqual([
    { input: 3, output: 15, cacheRead: 0.3 },
    { input: 0, output: 0 },
    undefined,
    { input: 1, output: 2 },
  ]);
});

test('a context size that is known only once the model is loaded is fetched with the next prompt', async () => {
  await using server = await FaultServer.start();
  server.models = ['m'];
  await using fixture = await ModelFixture.open({ OLLAMA_HOST: server.url });
  const models = await fixture.models();
  const before = await models.open({ ...nobody, model: 'ollama/m' });
  server.answers.set('/api/ps', { models: [{ model: 'm', context_length: 4096 }] });
  const after = await models.open({ ...nobody, model: 'ollama/m' });
  expect([before.contextWindow, after.contextWindow]).toEqual([undefined, 4096]);
});

test('configured size and price take precedence over known ones', async () => {
  await using server = await FaultServer.start();
  server.models = [{ id: 'large', context_length: 5 } as { id: string }];
  const price = { input: 0.5, output: 2 };
  const providers = {
    corp: { baseUrl: server.url, models: [{ name: 'large', contextWindow: 32_768, price }, 'small'] },
    anthropic: {
      apiKey: 'a',
      models: [
        { name: 'claude-sonnet-5', contextWindow: 1000 },
        { name: 'x', price: 1 },
      ],
    },
  };
  await using fixture = await ModelFixture.open({}, { 'config/turnwire/coder.json': JSON.stringify({ providers }) });
  const ours = await fixture.choose('corp/large');
  const known = await fixture.choose('anthropic/claude-sonnet-5');
  expect([
    ours.contextWindow,
    ours.price,
    known.contextWindow,
    known.price?.input,
    (await fixture.settings()).warnings,
  ]).toEqual([
    32_768,
    price,
    1000,
    expect.any(Number),
    [expect.stringMatching(/"providers\.anthropic\.models\.1.*" is left out/)],
  ]);
});

test('the error about a rejected key names the variable it was found in', async () => {
  const refused = refuses(401, { error: { message: 'Incorrect API key' } });
  await using server = await FaultServer.start(refused);
  await using fixture = await ModelFixture.open({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.url });
  const { error } = await heard(await fixture.choose('openai-compatible/x'));
  // A login would not help: this server has none.
  expect(error).toMatchObject({
    code: -32603,
    message: expect.stringContaining('Set OPENAI_API_KEY to a valid key.') as unknown,
    data: { reason: 'unauthorized' },
  });
});

test('a model without a key is refused, whether it is configured or chosen', async () => {
  await using configured = await ModelFixture.open({ TURNWIRE_CODER_MODEL: 'anthropic/claude-sonnet-5' });
  await using empty = await ModelFixture.open();
  const data = { provider: 'anthropic', model: 'anthropic/claude-sonnet-5', reason: 'unauthorized', retryable: false };
  const keys = 'Set ANTHROPIC_API_KEY, or log in. Create a key at https://console.anthropic.com/settings/keys.';
  await expect(configured.models()).rejects.toMatchObject({
    code: -32000,
    message: `Anthropic needs a key for anthropic/claude-sonnet-5 (chosen by TURNWIRE_CODER_MODEL). ${keys}`,
    data,
  });
  await expect(empty.choose('anthropic/claude-sonnet-5')).rejects.toMatchObject({
    code: -32000,
    message: `Anthropic needs a key for anthropic/claude-sonnet-5. ${keys}`,
    data,
  });
  // The provider has no login.
  await expect(empty.choose('xai/grok')).rejects.toMatchObject({
    code: -32603,
    message: 'xAI needs a key for xai/grok. Set XAI_API_KEY.',
  });
});

test.each(['claude', 'nobody/x', 'anthropic/', '/x'])(
  '%s is not a model, and the message shows the format',
  async (model) => {
    await using fixture = await ModelFixture.open();
    await expect(fixture.models({ model })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(
        /^There is no model ".*" \(chosen by --model\)\. A model is written as one of: anthropic\/…, .*; or offline\.$/,
      ) as unknown,
    });
  },
);

test('a provider without an address says which variable is missing', async () => {
  await using fixture = await ModelFixture.open();
  await expect(fixture.choose('vllm/x')).rejects.toMatchObject({
    code: -32602,
    message: 'vLLM has no valid address, so vllm/x cannot be used. Set VLLM_BASE_URL.',
  });
});

test("OpenAI's key is not sent to a server with its own address", async () => {
  const env = { OPENAI_API_KEY: 'o', OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:9' };
  await using own = await ModelFixture.open(env);
  await using shared = await ModelFixture.open({ OPENAI_API_KEY: 'o', OPENAI_BASE_URL: 'http://127.0.0.1:9' });
  expect([
    (await own.choose('openai-compatible/x')).secrets,
    (await shared.choose('openai-compatible/x')).secrets,
  ]).toEqual([[], ['o']]);
});

const addresses: readonly (readonly [string, string, string, string])[] = [
  ['openai/x', 'OPENAI_BASE_URL', 'http://127.0.0.1:9', 'http://127.0.0.1:9/v1'],
  ['openai/x', 'OPENAI_BASE_URL', 'http://127.0.0.1:9/v1/', 'http://127.0.0.1:9/v1'],
  ['openai/x', 'OPENAI_BASE_URL', 'https://a.example/api/paas/v4', 'https://a.example/api/paas/v4'],
  ['anthropic/x', 'ANTHROPIC_BASE_URL', 'https://a.example/proxy', 'https://a.example/proxy/v1'],
  ['google/x', 'GEMINI_BASE_URL', 'https://a.example', 'https://a.example/v1beta'],
  ['ollama/x', 'OLLAMA_HOST', '0.0.0.0', 'http://127.0.0.1:11434/v1'],
  ['ollama/x', 'OLLAMA_HOST', ':4000', 'http://127.0.0.1:4000/v1'],
  ['ollama/x', 'OLLAMA_HOST', 'box:4000', 'http://box:4000/v1'],
  ['vllm/x', 'VLLM_BASE_URL', 'https://user:secret@a.example', 'https://a.example/v1'],
];

test('a password in an address is sent as a header and never shown', async () => {
  await using server = await FaultServer.start(refuses(401, { error: { message: 'who are you, user:pass?' } }));
  await using fixture = await ModelFixture.open({ VLLM_BASE_URL: server.url.replace('//', '//user:pass@') });
  const { error } = await heard(await fixture.choose('vllm/x'));
  expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(['Basic dXNlcjpwYXNz']);
  expect(error).toMatchObject({ data: { reason: 'unauthorized', model: 'vllm/x' } });
});

test.each(addresses)('%s with %s=%s is called at %s', async (model, variable, value, address) => {
  await using fixture = await ModelFixture.open({
    OPENAI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'k',
    GEMINI_API_KEY: 'k',
    [variable]: value,
  });
  expect((await fixture.choose(model)).provider?.baseUrl).toBe(address);
});

test('an invalid address is reported with its variable', async () => {
  await using fixture = await ModelFixture.open({ VLLM_BASE_URL: 'http://' });
  expect(offer(await fixture.models())).toMatchObject({ chosen: 'offline' });
  await expect(fixture.choose('vllm/x')).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('VLLM_BASE_URL') as unknown,
  });
});

test('the default model of each provider is known and not outdated', () => {
  const first = providers.filter(({ firstModel }) => firstModel !== undefined);
  expect(first.map(({ id, firstModel = '' }) => [id, knownModel(id, firstModel)?.isOutdated])).toEqual([
    ['anthropic', false],
    ['openai', false],
    ['google', false],
    ['openrouter', false],
  ]);
});

test('every offered model has a plausible context size', () => {
  const all = providers.flatMap(({ id }) => knownModels(id)).filter(({ isOutdated }) => !isOutdated);
  expect(
    all.filter(({ contextWindow, maxOutputTokens }) => contextWindow < 1000 || maxOutputTokens > contextWindow),
  ).toEqual([]);
  expect(all.length).toBeGreaterThan(20);
});
