/** Bytes that the client of an agent sends at once. */
export type Chunk = string | Uint8Array;

const encoder = new TextEncoder();

function request(method: string, params: unknown = {}, id: unknown = 1): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

function message(fields: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`;
}

const split = encoder.encode(request('_echo', { text: 'ä€😀' }));
const cuts = [split.indexOf(0xc3) + 1, split.indexOf(0xe2) + 2, split.indexOf(0xf0) + 1];
const invalidText = Uint8Array.from([
  ...encoder.encode('{"jsonrpc":"2.0","id":1,"method":"_echo","params":{"text":"'),
  0xff,
  0xc3,
  ...encoder.encode('"}}\n'),
]);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const prompt = { sessionId: 's', prompt: [{ type: 'text', text: 'Hi' }] };

/** The limit of messages in these scenarios, in bytes. */
export const maxMessageBytes = 1_000_000;

/** By name. `_ping` follows each one. */
export const agentScenarios: Readonly<Record<string, readonly Chunk[]>> = {
  'text that is not JSON': ['Hello\n'],
  'a message that is cut off': [`${request('_echo').slice(0, 20)}\n`],
  'a NUL byte before a message': [`\0${request('_echo')}`],
  'a NUL byte in a message': ['{"jsonrpc":"2.0",\0"id":1,"method":"_echo"}\n'],
  'empty lines': ['\n\n\n', request('_echo')],
  'lines that end with CR and LF': [request('_echo').replace('\n', '\r\n')],
  'a byte order mark': [`\uFEFF${request('_echo')}`],
  'spaces and tabs around a message': [` \t${request('_echo').trim()} \t\n`],
  'characters that are split between chunks': [0, 1, 2, 3].map((index) =>
    split.subarray(cuts[index - 1] ?? 0, cuts[index]),
  ),
  'a message in chunks of one byte': [...encoder.encode(request('_echo'))].map((byte) => Uint8Array.of(byte)),
  'two messages in a chunk': [request('_echo') + request('_echo', {}, 2)],
  'bytes that are not UTF-8': [invalidText],
  'a batch of two requests': [`[${request('_echo').trim()},${request('_echo', {}, 2).trim()}]\n`],
  'an empty batch': ['[]\n'],
  'a number': ['42\n'],
  'a string': ['"text"\n'],
  null: ['null\n'],
  true: ['true\n'],
  'an empty object': ['{}\n'],
  'a message without jsonrpc': ['{"id":1,"method":"_echo"}\n'],
  'a message of JSON-RPC 1.0': ['{"jsonrpc":"1.0","id":1,"method":"_echo"}\n'],
  'an id that is true': [request('_echo', {}, true)],
  'an id that is an object': [request('_echo', {}, {})],
  'an id that is an array': [request('_echo', {}, [1])],
  'a request without a method': [message({ id: 1, params: {} })],
  'a method that is a number': [message({ id: 1, method: 7 })],
  'a method that is empty': [request('')],
  'parameters that are a string': [request('session/prompt', 'text')],
  'parameters that are an array': [request('session/prompt', [])],
  'parameters that are null': [request('session/prompt', null)],
  'an invalid message with 20,000 levels': [`{"id":[],"method":"_echo","params":${nested(20_000)}}\n`],
  'a request with 20,000 levels': [`{"jsonrpc":"2.0","id":1,"method":"_echo","params":{"a":${nested(20_000)}}}\n`],
  'a request of the protocol with 5,000 levels in _meta': [
    `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[],"_meta":{"a":${nested(5_000)}}}}\n`,
  ],
  'a key __proto__': ['{"jsonrpc":"2.0","id":1,"method":"_echo","params":{"__proto__":{"polluted":true}}}\n'],
  'a key twice': ['{"jsonrpc":"2.0","id":1,"id":2,"method":"_echo"}\n'],
  'an unknown method': [request('unknown/method')],
  'an unknown extension': [request('_unknown')],
  'an unknown notification': [message({ method: 'unknown/method' })],
  'a method named like a member of Object': [request('toString')],
  'invalid parameters': [request('session/prompt', { sessionId: 7 })],
  'invalid parameters of a notification': [message({ method: 'session/cancel', params: { sessionId: 7 } })],
  'a relative cwd': [request('session/new', { cwd: 'a', mcpServers: [] })],
  'unknown fields': [request('session/new', { cwd: '/', mcpServers: [], models: [] })],
  'an id that is null': [request('_echo', {}, null)],
  'an id that is 1.5': [request('_echo', {}, 1.5)],
  'an id that is -1': [request('_echo', {}, -1)],
  'an id that is an empty string': [request('_echo', {}, '')],
  'an id above 2^53': ['{"jsonrpc":"2.0","id":9007199254740993,"method":"_echo"}\n'],
  'the same id for two requests at a time': [request('_slow') + request('_slow')],
  'a response to no request': [message({ id: 99, result: {} })],
  'a response without an id': [message({ result: {} })],
  'a response whose id is null': [message({ id: null, error: { code: 1, message: 'a' } })],
  'a response without result and error': [message({ id: 0 })],
  'a response with result and error': [message({ id: 0, result: {}, error: { code: 1, message: 'a' } })],
  'a second initialize': [request('initialize', { protocolVersion: 1 })],
  'a cancelled request that does not exist': [message({ method: '$/cancel_request', params: { requestId: 99 } })],
  'a handler that throws an error': [request('_throw', 'error')],
  'a handler that throws a string': [request('_throw', 'string')],
  'a handler that throws undefined': [request('_throw', 'undefined')],
  'a handler that returns nothing': [request('_return', 'undefined')],
  'a handler that returns a BigInt': [request('_return', 'bigint')],
  'a handler that returns a cycle': [request('_return', 'cycle')],
  'a handler that returns a function': [request('_return', 'function')],
  'a handler that sends a BigInt': [request('_notify', 'bigint')],
  'a handler that sends a cycle': [request('_notify', 'cycle')],
  'a handler that returns an invalid result': [request('session/new', { cwd: '/invalid', mcpServers: [] })],
  'a line above the limit': [`{"jsonrpc":"2.0","id":1,"method":"_echo","params":"${'x'.repeat(maxMessageBytes)}"}\n`],
  'more bytes than the limit without a line end': ['x'.repeat(maxMessageBytes + 1), '\n'],
  'a prompt, then the end of the input': [request('session/prompt', prompt), ''],
};
