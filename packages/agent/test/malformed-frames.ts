import { clientFrame } from '../../transports/test/websocket/http-server.ts';

export { chance } from '../../protocol/test/v2/malformed-frames.ts';

const odd: readonly string[] = [
  'null',
  'true',
  '-0',
  '1e999',
  '9007199254740993',
  '"\\ud800"',
  '""',
  '[]',
  '{}',
  '[[[[[[[[]]]]]]]]',
  '{"__proto__":{"a":1}}',
  `"${'x'.repeat(300)}"`,
];
const methods: readonly string[] = [
  'initialize',
  'authenticate',
  'session/new',
  'session/load',
  'session/prompt',
  'session/cancel',
  'session/set_mode',
  'session/list',
  '$/cancel_request',
  '_x',
  '__proto__',
  'nothing',
];
const keys: readonly string[] = [
  'sessionId',
  'cwd',
  'mcpServers',
  'prompt',
  'modeId',
  'protocolVersion',
  'requestId',
  '_meta',
];

/** A text that is not a message of version 1, or has at least one error. */
export function malformedText(random: () => number): string {
  const one = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const params = `{${Array.from({ length: Math.floor(random() * 4) }, () => `"${one(keys)}":${one(odd)}`).join(',')}}`;
  const text = [
    `{"jsonrpc":"2.0","id":${one(odd)},"method":"${one(methods)}","params":${random() < 0.7 ? params : one(odd)}}`,
    `{"jsonrpc":"2.0","method":"${one(methods)}","params":${params}}`,
    `{"jsonrpc":"2.0","id":${one(odd)},"result":${one(odd)}}`,
    `{"jsonrpc":${one(odd)},"id":1,"method":${one(odd)}}`,
    `{"id":7,"error":${one(odd)}}`,
    `[${one(odd)},${one(odd)}]`,
    one(odd),
  ][Math.floor(random() * 7)] as string;
  const cut = random();
  if (cut < 0.1) return text.slice(0, Math.floor(random() * text.length));
  if (cut > 0.2) return text;
  const at = Math.floor(random() * text.length);
  return `${text.slice(0, at)}${String.fromCharCode(32 + Math.floor(random() * 95))}${text.slice(at + 1)}`;
}

/** Bytes that a WebSocket may not send: the connection ends. */
export function brokenFrame(random: () => number): Buffer {
  const kinds = [
    () => clientFrame(1, Buffer.from([0xff, 0xfe])),
    () => clientFrame(1, Buffer.from('{}'), { masked: false }),
    () => clientFrame(3 + Math.floor(random() * 5), Buffer.from('{}')),
    () => clientFrame(0, Buffer.from('{}')),
    () => clientFrame(1, Buffer.alloc(0), { length: 2n ** 62n }),
    () => clientFrame(9, Buffer.alloc(200)),
    () => Buffer.from([0xc1, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]),
    () => Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  ];
  return kinds[Math.floor(random() * kinds.length)]?.() ?? Buffer.alloc(0);
}
