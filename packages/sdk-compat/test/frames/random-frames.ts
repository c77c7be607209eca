import { chance, malformedText } from '../../../agent/test/malformed-frames.ts';

type Side = 'agent' | 'client';
interface JsonObject {
  [key: string]: unknown;
}

const sessionId = 's';
const text = { type: 'text', text: 'Hi' };
const update = (fields: object): JsonObject => ({ sessionId, update: fields });

/** Valid parameters for the methods of each side: requests, and notifications. */
const samples: Readonly<
  Record<Side, Readonly<Record<'requests' | 'notifications', readonly (readonly [string, unknown])[]>>>
> = {
  agent: {
    requests: [
      ['initialize', { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true }, terminal: true } }],
      ['authenticate', { methodId: 'login' }],
      [
        'session/new',
        { cwd: '/', mcpServers: [{ name: 'a', command: '/a', args: ['b'], env: [{ name: 'C', value: 'd' }] }] },
      ],
      ['session/load', { sessionId, cwd: '/', mcpServers: [] }],
      ['session/prompt', { sessionId, prompt: [text, { type: 'resource_link', uri: 'file:///a', name: 'a' }] }],
      ['session/set_mode', { sessionId, modeId: 'ask' }],
      ['_vendor/count', { from: 1 }],
      ['nothing/known', {}],
    ],
    notifications: [
      ['session/cancel', { sessionId }],
      ['_vendor/note', { a: [1, null] }],
      ['$/cancel_request', { requestId: 0 }],
    ],
  },
  client: {
    requests: [
      [
        'session/request_permission',
        { sessionId, toolCall: { toolCallId: 't' }, options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] },
      ],
      ['fs/read_text_file', { sessionId, path: '/a', line: 1, limit: 2 }],
      ['fs/write_text_file', { sessionId, path: '/a', content: 'b' }],
      ['terminal/create', { sessionId, command: 'ls', args: ['-l'], env: [{ name: 'A', value: 'b' }], cwd: '/' }],
      ['terminal/output', { sessionId, terminalId: 't' }],
      ['_vendor/count', { from: 1 }],
      ['nothing/known', {}],
    ],
    notifications: [
      ['session/update', update({ sessionUpdate: 'agent_message_chunk', content: text })],
      [
        'session/update',
        update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'a', kind: 'edit', status: 'pending' }),
      ],
      [
        'session/update',
        update({
          sessionUpdate: 'tool_call_update',
          toolCallId: 't',
          content: [{ type: 'diff', path: '/a', oldText: null, newText: 'b' }],
          locations: [{ path: '/a', line: 3 }],
        }),
      ],
      [
        'session/update',
        update({ sessionUpdate: 'plan', entries: [{ content: 'a', priority: 'low', status: 'pending' }] }),
      ],
      ['session/update', update({ sessionUpdate: 'current_mode_update', currentModeId: 'ask' })],
      [
        'session/update',
        update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'a', description: 'b' }] }),
      ],
      ['_vendor/note', { a: [1, null] }],
    ],
  },
};

const ids: readonly unknown[] = [1, 0, -1, 1.5, 'a', '', '0', null, 2 ** 53, true, {}, []];
const odd: readonly unknown[] = [null, true, 0, -1, 1.5, '', 'x', [], {}, [null], { a: 1 }, 'x'.repeat(300)];

/** Makes frames for one side of a connection, always the same ones for a seed. `asked` is the id of a request that the side waits for. */
export function frameSource(side: Side, seed: number): (asked: number) => string {
  const random = chance(seed);
  const one = <Value>(from: readonly Value[]): Value =>
    structuredClone(from[Math.floor(random() * from.length)]) as Value;
  const { requests, notifications } = samples[side];
  const call = (): JsonObject => {
    const isRequest = random() < 0.6;
    const [method, params] = one(isRequest ? requests : notifications);
    const frame: JsonObject = {
      jsonrpc: '2.0',
      ...(isRequest && { id: one(ids) }),
      method,
      params: structuredClone(params),
    };
    return frame;
  };
  const response = (asked: number): JsonObject => {
    const id = random() < 0.8 ? asked : one([...ids, String(asked)]);
    const error = { code: one([-32601, -32000, 7]), message: 'no', ...(random() < 0.5 && { data: one(odd) }) };
    return { jsonrpc: '2.0', id, ...(random() < 0.5 ? { result: { content: 'a' } } : { error }) };
  };
  return (asked) => {
    const kind = random();
    if (kind < 0.1) return oneLine(malformedText(random));
    if (kind < 0.13) return JSON.stringify(random() < 0.3 ? [] : [call(), call()]);
    const frame = kind < 0.25 ? response(asked) : call();
    const changes = one([0, 0, 1, 1, 2]);
    for (let change = 0; change < changes; change += 1) mutate(frame, { random, one });
    const whole = JSON.stringify(frame);
    return random() < 0.05 ? oneLine(cut(whole, random)) : whole;
  };
}

interface Choice {
  readonly random: () => number;
  readonly one: <Value>(from: readonly Value[]) => Value;
}

/** Changes one value, at any depth: it is removed, replaced, or gets a neighbour that the protocol does not have. */
function mutate(frame: JsonObject, { random, one }: Choice): void {
  let parent = frame;
  let key = one(Object.keys(frame));
  while (random() < 0.7) {
    const child = parent[key];
    const keys = typeof child === 'object' && child !== null ? Object.keys(child) : [];
    if (keys.length === 0) break;
    parent = child as JsonObject;
    key = one(keys);
  }
  const action = random();
  if (action < 0.3) delete parent[key];
  else if (action < 0.8) parent[key] = one(odd);
  else if (!Array.isArray(parent)) parent['unknown'] = one(odd);
}

function cut(whole: string, random: () => number): string {
  const at = Math.floor(random() * whole.length);
  return random() < 0.5
    ? whole.slice(0, at)
    : `${whole.slice(0, at)}${'{}[]",:x'.charAt(Math.floor(random() * 8))}${whole.slice(at + 1)}`;
}

function oneLine(frame: string): string {
  return frame.replaceAll(/[\r\n]/g, ' ');
}
