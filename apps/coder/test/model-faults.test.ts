import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { ModelFailure } from '../src/model/model-failure.ts';
import type { Retry } from '../src/model/stream-model.ts';
import { chat, chatSays, event, FaultServer, hangsUp, refuses, saysNothing, streams } from './fault-server.ts';
import type { Reply } from './fault-server.ts';
import { until } from './coder-process.ts';
import { heard, hello, ModelFixture, summary } from './model-fixture.ts';

const key = 'secret-0123456789abcdef';

/** Asks a server that replies so, as an OpenAI-compatible one. */
async function ask(replies: readonly Reply[], options: Parameters<typeof heard>[2] = {}): Promise<object> {
  await using server = await FaultServer.start(...replies);
  await using fixture = await ModelFixture.open({
    OPENAI_COMPATIBLE_BASE_URL: server.url,
    OPENAI_COMPATIBLE_API_KEY: key,
  });
  const retries: string[] = [];
  const plain = (text: string): string => text.replaceAll(server.url, 'SERVER');
  const onRetry = ({ message }: Retry): void => void retries.push(plain(message));
  const { parts, error } = await heard(await fixture.choose('openai-compatible/m'), hello, { onRetry, ...options });
  return {
    ...summary(parts),
    tries: server.asked.length,
    ...(retries.length > 0 && { retries }),
    ...(error instanceof ModelFailure
      ? { message: plain(error.message), code: error.code, data: error.data }
      : error !== undefined && { error }),
  };
}

const usage = {
  read: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  wrote: { total: undefined, text: undefined, reasoning: undefined },
};
const answered = { said: 'Hello.', end: 'stop', ...usage };
const answer = streams(chatSays('Hello.'));
const about = { provider: 'openai-compatible', model: 'openai-compatible/m' };

const passing: readonly (readonly [string, Reply, string])[] = [
  [
    '429 with retry-after',
    refuses(429, { error: { message: 'slow down' } }, { 'retry-after-ms': '2' }),
    'OpenAI-compatible server received more requests than it allows (HTTP 429)',
  ],
  ['500', refuses(500, { error: { message: 'oops' } }), 'OpenAI-compatible server failed (HTTP 500)'],
  [
    '502 with a page',
    refuses(502, '<html><body>Bad gateway</body></html>'),
    'OpenAI-compatible server failed (HTTP 502)',
  ],
  ['503', refuses(503, { error: { message: 'busy' } }), 'OpenAI-compatible server is overloaded (HTTP 503)'],
  ['529', refuses(529, { error: { message: 'Overloaded' } }), 'OpenAI-compatible server is overloaded (HTTP 529)'],
  ['a connection that is closed at once', hangsUp, 'The connection to OpenAI-compatible server at SERVER/v1 failed'],
  [
    'a stream cut before its first event',
    streams([], 'cut'),
    'The connection to OpenAI-compatible server at SERVER/v1 failed',
  ],
  ['a stream that ends before its first event', streams([]), 'The answer of OpenAI-compatible server broke off'],
  [
    'an error for a first event',
    streams([event({ error: { message: 'engine overloaded', type: 'overloaded_error', code: 'overloaded' } })]),
    'OpenAI-compatible server is overloaded',
  ],
];

test.each(passing)('%s is retried, and the user is notified', async (_, fault, brief) => {
  expect(await ask([fault, answer])).toEqual({
    ...answered,
    tries: 2,
    retries: [`${brief}; trying again in 1 s (2 of 5).`],
  });
});

/** The timeout for the first byte, in whole seconds: a working server answers within it, also on a busy machine. */
const seconds = Math.ceil(within(1_000) / 1_000);
const limits = { firstByte: seconds * 1_000 };

test('silence before the first event is retried', async () => {
  expect(await ask([saysNothing, answer], { limits })).toEqual({
    ...answered,
    tries: 2,
    retries: [`OpenAI-compatible server has been silent for ${seconds} s; trying again in 1 s (2 of 5).`],
  });
});

test('silence after the response headers is retried', async () => {
  const head = streams([chat({ role: 'assistant', content: '' })], 'hang');
  expect(await ask([head, answer], { limits })).toMatchObject({ ...answered, tries: 2 });
});

test('a persistent failure ends the call after five attempts', async () => {
  expect(await ask([refuses(529, { error: { message: 'Overloaded' } })])).toEqual({
    tries: 5,
    retries: [2, 3, 4, 5].map(
      (attempt) => `OpenAI-compatible server is overloaded (HTTP 529); trying again in 1 s (${attempt} of 5).`,
    ),
    message: 'OpenAI-compatible server is overloaded (HTTP 529). It reported: Overloaded.',
    code: -32603,
    data: { ...about, reason: 'overloaded', status: 529, retryable: true },
  });
});

test('a server that requests too long a pause is not called again', async () => {
  expect(await ask([refuses(429, { error: { message: 'daily limit' } }, { 'retry-after': '3600' })])).toEqual({
    tries: 1,
    message: 'OpenAI-compatible server received more requests than it allows (HTTP 429). It reported: daily limit.',
    code: -32603,
    data: { ...about, reason: 'rate-limited', status: 429, retryable: true, retryAfter: 3_600_000 },
  });
});

const final: readonly (readonly [string, Reply, string, object])[] = [
  [
    'a wrong key',
    refuses(401, { error: { message: `Incorrect API key provided: ${key}`, code: 'invalid_api_key' } }),
    'OpenAI-compatible server does not accept the key (HTTP 401). It reported: Incorrect API key provided: [redacted]. Set OPENAI_COMPATIBLE_API_KEY to a valid key.',
    { reason: 'unauthorized', status: 401, code: 'invalid_api_key', retryable: false },
  ],
  [
    'a model there is not',
    refuses(404, { error: { message: 'The model m does not exist', code: 'model_not_found' } }),
    'OpenAI-compatible server has no model m (HTTP 404). It reported: The model m does not exist. Choose another model. The request went to SERVER/v1; OPENAI_COMPATIBLE_BASE_URL sets the address.',
    { reason: 'model-not-found', status: 404, code: 'model_not_found', retryable: false },
  ],
  [
    'a conversation that is too long',
    refuses(400, {
      error: { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' },
    }),
    "The conversation is too long for openai-compatible/m (HTTP 400). It reported: This model's maximum context length is 8192 tokens. Shorten it with /compact, or choose a model with a larger context.",
    { reason: 'context-overflow', status: 400, code: 'context_length_exceeded', retryable: false },
  ],
  [
    'a body that is too large',
    refuses(413, '<html>too large</html>'),
    'The conversation is too long for openai-compatible/m (HTTP 413). It reported: Payload Too Large. Shorten it with /compact, or choose a model with a larger context.',
    { reason: 'context-overflow', status: 413, retryable: false },
  ],
  [
    'an account without money',
    refuses(429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }),
    'OpenAI-compatible server requires payment before it answers (HTTP 429). It reported: You exceeded your current quota. Check your account there, or choose another model.',
    { reason: 'billing', status: 429, code: 'insufficient_quota', retryable: false },
  ],
  [
    'a page where an answer should be',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Sign in</h1>'),
    'OpenAI-compatible server sent a response that is not an answer of a model. The request went to SERVER/v1; OPENAI_COMPATIBLE_BASE_URL sets the address.',
    { reason: 'not-understood', retryable: false },
  ],
];

test.each(final)('%s is reported at once, with advice', async (_, fault, message, data) => {
  // No login gives a key for the user's own server, so a wrong key does not ask for one.
  expect(await ask([fault])).toEqual({ tries: 1, message, code: -32603, data: { ...about, ...data } });
});

test('events that are not JSON are reported as such', async () => {
  expect(await ask([streams([event('{"choices": [garbage'), event('[DONE]')])])).toMatchObject({
    tries: 1,
    data: { reason: 'not-understood', retryable: false },
  });
});

test('an error of many megabytes becomes a message of a few hundred letters', async () => {
  const outcome = (await ask([refuses(400, { error: { message: 'much too '.repeat(1_000_000) } })])) as {
    readonly message: string;
  };
  expect(outcome.message).toMatch(
    /^OpenAI-compatible server refused the request \(HTTP 400\)\. It reported: (much too )+mu…$/,
  );
  expect(outcome.message.length).toBeLessThan(400);
});

const begun = chat({ role: 'assistant', content: 'Hel' });
const call = chat({
  tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'write', arguments: '{"path": "a' } }],
});

test.each([
  ['cut in the middle of an event', streams([begun, 'data: {"id": "c", "cho'], 'cut'), 'connection'],
  ['ended without an end', streams([begun]), 'broke-off'],
  ['ended in garbage', streams([begun, event('{{{')]), 'not-understood'],
  [
    'ended with an error',
    streams([begun, event({ error: { message: 'engine died', type: 'server_error' } })]),
    'server-error',
  ],
])('an answer %s is not retried', async (_, fault, reason) => {
  expect(await ask([fault, answer])).toMatchObject({ said: 'Hel', tries: 1, data: { reason } });
});

test('an answer that falls silent is not retried', async () => {
  expect(await ask([streams([begun], 'hang'), answer], { limits: { idle: 300 } })).toMatchObject({
    said: 'Hel',
    tries: 1,
    message: 'OpenAI-compatible server has been silent for 1 s.',
    data: { reason: 'stalled', retryable: true },
  });
});

test.each([
  ['cut', 'connection'],
  ['end', 'broke-off'],
] as const)('no finish follows a tool call that the server does not complete (%s)', async (end, reason) => {
  await using server = await FaultServer.start(streams([call], end));
  await using fixture = await ModelFixture.open({ OPENAI_COMPATIBLE_BASE_URL: server.url });
  const { parts, error } = await heard(await fixture.choose('openai-compatible/m'));
  expect(parts.map(({ type }) => type)).not.toContain('finish');
  expect(parts).toContainEqual({ type: 'tool-input-start', id: 'c1', toolName: 'write' });
  expect(error).toMatchObject({ data: { reason } });
});

test.each([
  ['the server says nothing', saysNothing],
  ['the answer has begun', streams([begun], 'hang')],
])('a call ends at once when %s', async (_, fault) => {
  await using server = await FaultServer.start(fault);
  await using fixture = await ModelFixture.open({ OPENAI_COMPATIBLE_BASE_URL: server.url });
  const controller = new AbortController();
  const asking = heard(await fixture.choose('openai-compatible/m'), hello, { signal: controller.signal });
  await until(() => server.asked.length === 1);
  controller.abort(new Error('given up'));
  expect((await asking).error).toEqual(new Error('given up'));
});

test('a cancel ends the pause before the next attempt at once', async () => {
  await using server = await FaultServer.start(refuses(529, {}, { 'retry-after': '50' }));
  await using fixture = await ModelFixture.open({ OPENAI_COMPATIBLE_BASE_URL: server.url });
  const controller = new AbortController();
  const onRetry = (): void => void setTimeout(() => controller.abort(new Error('given up')), 5);
  const asking = heard(await fixture.choose('openai-compatible/m'), hello, { signal: controller.signal, onRetry });
  expect((await asking).error).toEqual(new Error('given up'));
});
