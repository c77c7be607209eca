import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import { ModelServer } from '../../../tools/real-agents/model-server.ts';
import { chat, event, FaultServer, refuses, streams } from './fault-server.ts';
import { heard, hello, ModelFixture, summary } from './model-fixture.ts';

let server: ModelServer;

beforeAll(async () => {
  server = await ModelServer.start();
});

afterAll(() => server[Symbol.asyncDispose]());

/** Every provider at the address of one server. */
const at = (url: string): Readonly<Record<string, string>> => ({
  ANTHROPIC_API_KEY: 'a',
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: 'o',
  OPENAI_BASE_URL: url,
  GEMINI_API_KEY: 'g',
  GOOGLE_GENERATIVE_AI_BASE_URL: url,
  OPENROUTER_API_KEY: 'r',
  OPENROUTER_BASE_URL: `${url}/api/v1`,
  VLLM_BASE_URL: `${url}/v1/`,
  OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
});

const models = [
  'anthropic/claude-sonnet-5',
  'openai/gpt-6-sol',
  'google/gemini-3.8-flash',
  'openrouter/anthropic/claude-sonnet-5',
  'vllm/org/some-model',
  'ollama/qwen3:8b',
  'openai-compatible/some-model',
];

const read: LanguageModelV3FunctionTool = {
  type: 'function',
  name: 'read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

test.each(models)('%s streams the text of its server', async (model) => {
  await using fixture = await ModelFixture.open({ ...at(server.url), OLLAMA_HOST: server.url.replace('http://', '') });
  const { parts, error } = await heard(await fixture.choose(model));
  expect({ ...summary(parts), error }).toMatchObject({
    said: 'hello',
    end: 'stop',
    read: { total: 10 },
    error: undefined,
  });
});

test.each(models)('%s passes on the tool call of its server', async (model) => {
  await using fixture = await ModelFixture.open({ ...at(server.url), OLLAMA_HOST: server.url.replace('http://', '') });
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'script: read notes.txt' }] }];
  const { parts, error } = await heard(await fixture.choose(model), { prompt, tools: [read] });
  expect({ ...summary(parts), error }).toMatchObject({
    calls: [{ tool: 'read', input: { path: 'notes.txt' } }],
    end: 'tool-calls',
    error: undefined,
  });
});

/** The request to a local model server, and the parts of its answer. */
async function exchange(model: string, events: readonly string[], level?: string): Promise<object> {
  await using fake = await FaultServer.start(streams(events));
  await using fixture = await ModelFixture.open(at(fake.url));
  const { parts, error } = await heard(await fixture.choose(model, level));
  const [{ path, body, headers } = { path: '', body: {}, headers: {} }] = fake.asked;
  const { authorization, 'x-api-key': anthropicKey, 'x-goog-api-key': googleKey } = headers;
  const { messages: _messages, input: _input, contents: _contents, ...rest } = body;
  const keys = {
    ...(authorization && { authorization }),
    ...(anthropicKey && { anthropicKey }),
    ...(googleKey && { googleKey }),
  };
  return { path, ...keys, body: rest, ...summary(parts), ...(error !== undefined && { error }) };
}

test('Anthropic: thoughts, cached tokens and effort', async () => {
  const usage = { input_tokens: 7, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 };
  const events = [
    event({
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage },
    }),
    event({ type: 'ping' }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 's' } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Yes.' } }),
    event({ type: 'content_block_stop', index: 1 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 9 },
    }),
    event({ type: 'message_stop' }),
  ];
  expect(await exchange('anthropic/claude-sonnet-5', events, 'high')).toEqual({
    path: '/v1/messages',
    anthropicKey: 'a',
    body: {
      model: 'claude-sonnet-5',
      max_tokens: 32_768,
      stream: true,
      cache_control: { type: 'ephemeral' },
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    },
    thought: 'Hm.',
    said: 'Yes.',
    end: 'stop',
    read: { total: 127, noCache: 7, cacheRead: 100, cacheWrite: 20 },
    wrote: { total: 9, text: undefined, reasoning: undefined },
  });
});

test('OpenAI: summaries of thoughts, cached tokens and effort, without storing the conversation there', async () => {
  const usage = {
    input_tokens: 107,
    input_tokens_details: { cached_tokens: 100 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 4 },
  };
  const item = { id: 'msg', type: 'message', role: 'assistant', status: 'completed', content: [] };
  const events = [
    event({ type: 'response.created', response: { id: 'r', created_at: 1, model: 'x' } }),
    event({
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'e' },
    }),
    event({ type: 'response.reasoning_summary_part.added', item_id: 'rs', summary_index: 0 }),
    event({ type: 'response.reasoning_summary_text.delta', item_id: 'rs', summary_index: 0, delta: 'Hm.' }),
    event({
      type: 'response.output_item.done',
      output_index: 0,
      item: { id: 'rs', type: 'reasoning', summary: [], encrypted_content: 'e' },
    }),
    event({ type: 'response.output_item.added', output_index: 1, item }),
    event({ type: 'response.output_text.delta', item_id: 'msg', output_index: 1, content_index: 0, delta: 'Yes.' }),
    event({ type: 'response.output_item.done', output_index: 1, item }),
    event({ type: 'response.completed', response: { id: 'r', created_at: 1, model: 'x', usage } }),
  ];
  expect(await exchange('openai/gpt-6-sol', events, 'high')).toEqual({
    path: '/v1/responses',
    authorization: 'Bearer o',
    body: {
      model: 'gpt-6-sol',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'high', summary: 'auto' },
    },
    thought: 'Hm.',
    said: 'Yes.',
    end: 'stop',
    read: { total: 107, noCache: 7, cacheRead: 100, cacheWrite: undefined },
    wrote: { total: 9, text: 5, reasoning: 4 },
  });
});

test('Google: thoughts, cached tokens and level', async () => {
  const usageMetadata = {
    promptTokenCount: 107,
    cachedContentTokenCount: 100,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 4,
    totalTokenCount: 116,
  };
  const part = (content: object, rest: object = {}): string =>
    event({ candidates: [{ index: 0, content: { role: 'model', parts: [content] }, ...rest }], usageMetadata });
  const events = [part({ text: 'Hm.', thought: true }), part({ text: 'Yes.' }, { finishReason: 'STOP' })];
  expect(await exchange('google/gemini-3.8-flash', events, 'low')).toEqual({
    path: '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    googleKey: 'g',
    body: { generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' } } },
    thought: 'Hm.',
    said: 'Yes.',
    end: 'stop',
    read: { total: 107, noCache: 7, cacheRead: 100, cacheWrite: undefined },
    wrote: { total: 9, text: 5, reasoning: 4 },
  });
});

test('OpenAI-compatible: thoughts, cached tokens and effort', async () => {
  const usage = {
    prompt_tokens: 107,
    completion_tokens: 9,
    prompt_tokens_details: { cached_tokens: 100 },
    completion_tokens_details: { reasoning_tokens: 4 },
  };
  const events = [
    chat({ role: 'assistant', reasoning_content: 'Hm.' }),
    chat({ content: 'Yes.' }),
    chat({}, 'stop'),
    event({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage }),
    event('[DONE]'),
  ];
  expect(await exchange('openrouter/anthropic/claude-sonnet-5', events, 'high')).toEqual({
    path: '/api/v1/chat/completions',
    authorization: 'Bearer r',
    body: {
      model: 'anthropic/claude-sonnet-5',
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: 'high',
    },
    thought: 'Hm.',
    said: 'Yes.',
    end: 'stop',
    read: { total: 107, noCache: 7, cacheRead: 100, cacheWrite: undefined },
    wrote: { total: 9, text: 5, reasoning: 4 },
  });
});

const refusals: readonly (readonly [string, number, object, object])[] = [
  [
    'anthropic/claude-sonnet-5',
    529,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    { reason: 'overloaded', code: 'overloaded_error' },
  ],
  [
    'anthropic/claude-sonnet-5',
    401,
    { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    { reason: 'unauthorized', code: 'authentication_error' },
  ],
  [
    'anthropic/claude-sonnet-5',
    404,
    { type: 'error', error: { type: 'not_found_error', message: 'model: x' } },
    { reason: 'model-not-found', code: 'not_found_error' },
  ],
  [
    'anthropic/claude-sonnet-5',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    { reason: 'context-overflow', code: 'invalid_request_error' },
  ],
  [
    'openai/gpt-6-sol',
    401,
    { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
    { reason: 'unauthorized', code: 'invalid_api_key' },
  ],
  [
    'openai/gpt-6-sol',
    400,
    {
      error: {
        message: 'Your input exceeds the context window of this model.',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    },
    { reason: 'context-overflow', code: 'context_length_exceeded' },
  ],
  [
    'google/gemini-3.8-flash',
    400,
    { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
    { reason: 'unauthorized', code: '400' },
  ],
  [
    'google/gemini-3.8-flash',
    429,
    { error: { code: 429, message: 'Resource exhausted', status: 'RESOURCE_EXHAUSTED' } },
    { reason: 'rate-limited', code: '429' },
  ],
  [
    'google/gemini-3.8-flash',
    400,
    {
      error: {
        code: 400,
        message: 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    },
    { reason: 'context-overflow', code: '400' },
  ],
];

test.each(refusals)('%s: HTTP %i is understood (%#)', async (model, status, body, data) => {
  await using fake = await FaultServer.start(refuses(status, body));
  await using fixture = await ModelFixture.open(at(fake.url));
  const { error } = await heard(await fixture.choose(model), hello, { limits: { attempts: 1 } });
  expect(error).toMatchObject({ data: { provider: model.split('/')[0], model, status, ...data } });
});

test('Anthropic: an overload in the middle of an answer is reported as such', async () => {
  const usage = { input_tokens: 7, output_tokens: 1 };
  const events = [
    event({
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage },
    }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes' } }),
    event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  ];
  expect(await exchange('anthropic/claude-sonnet-5', events)).toMatchObject({
    said: 'Yes',
    error: { brief: 'Anthropic is overloaded', data: { reason: 'overloaded', retryable: true } },
  });
});

test.each([
  [
    'anthropic/claude-sonnet-5',
    [
      event({
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'x',
          content: [],
          usage: { input_tokens: 7, output_tokens: 1 },
        },
      }),
    ],
  ],
  ['openai/gpt-6-sol', [event({ type: 'response.created', response: { id: 'r', created_at: 1, model: 'x' } })]],
  ['google/gemini-3.8-flash', [event({ candidates: [{ content: { role: 'model', parts: [{ text: 'Yes' }] } }] })]],
] as const)('%s: an answer without an end is an error', async (model, events) => {
  await using fake = await FaultServer.start(streams(events));
  await using fixture = await ModelFixture.open(at(fake.url));
  const { parts, error } = await heard(await fixture.choose(model), hello, { limits: { attempts: 1 } });
  expect(parts.filter(({ type }) => type === 'finish')).toEqual([]);
  expect(error).toMatchObject({ data: { reason: 'broke-off' } });
});
