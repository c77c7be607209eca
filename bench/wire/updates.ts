import type { SessionNotification, SessionUpdate } from '@turnwire/protocol';
import { benchProtocol } from './protocol.ts';

/** The kinds of update that are sent, named after their cases. */
export type UpdateKind = 'small-update' | 'tool-call' | 'update-4k' | 'diff-1m';

/** Bytes of one message on the wire, newline not counted. The diff's size is that of its two texts. */
const wireSize: Readonly<Record<Exclude<UpdateKind, 'diff-1m'>, number>> = {
  'small-update': 172,
  'tool-call': 509,
  'update-4k': 4096,
};

const diffText = 512 * 1024;
const poolSize = 16;
const code = "export const answer = items.map((item) => item.value);\n  if (a < b) return 'left';\n";

/** Different messages of one size, to send in rotation. */
export function updatesOf(kind: UpdateKind, sessionId: string): readonly SessionNotification[] {
  return Array.from({ length: poolSize }, (_, index) => {
    if (kind === 'diff-1m') return { sessionId, update: diff(index) };
    const shape = kind === 'tool-call' ? toolCall : chunk;
    return { sessionId, update: sized((text) => shape(index, text), { sessionId, size: wireSize[kind] }) };
  });
}

/** The length of an update's text. A handler reads it, so that no implementation can skip parsing the update. */
export function textLength(update: SessionUpdate): number {
  if (update.sessionUpdate === 'agent_message_chunk') return lengthOf(update.content);
  if (update.sessionUpdate !== 'tool_call_update') return 0;
  const first = update.content?.[0];
  if (first?.type === 'diff') return (first as { readonly newText: string }).newText.length;
  return first?.type === 'content' ? lengthOf((first as { readonly content: object }).content) : 0;
}

function lengthOf(content: object): number {
  return 'text' in content && typeof content.text === 'string' ? content.text.length : 0;
}

function chunk(index: number, text: string): SessionUpdate {
  const message = benchProtocol() === 2 && { messageId: 'm' };
  return { sessionUpdate: 'agent_message_chunk', ...message, content: { type: 'text', text: numbered(index, text) } };
}

function toolCall(index: number, text: string): SessionUpdate {
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: `call_${String(index).padStart(2, '0')}`,
    title: 'Search the workspace for TODO',
    kind: 'search',
    status: 'in_progress',
    locations: [{ path: '/home/user/project/src/index.ts', line: 12 }],
    rawInput: { pattern: 'TODO', path: 'src' },
    content: [{ type: 'content', content: { type: 'text', text: numbered(index, text) } }],
  };
}

function diff(index: number): SessionUpdate {
  const text = source(diffText - 2);
  const path = '/home/user/project/src/generated.ts';
  const content = [{ type: 'diff' as const, path, oldText: numbered(0, text), newText: numbered(index, text) }];
  return { sessionUpdate: 'tool_call_update', toolCallId: 'call_00', status: 'completed', content };
}

/** Grows the text until the whole message has its size. */
function sized(
  make: (text: string) => SessionUpdate,
  { sessionId, size }: { readonly sessionId: string; readonly size: number },
): SessionUpdate {
  for (let length = 0; length <= size; length++) {
    const update = make(source(length));
    const left = size - bytesOf({ sessionId, update });
    if (left === 0) return update;
    if (left < 0) return make(`${source(length - 1)}.`);
    length += Math.max(0, Math.floor(left / 2) - 2);
  }
  throw new Error(`no message of ${size} bytes`);
}

export function bytesOf(params: SessionNotification): number {
  return Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params }));
}

function source(length: number): string {
  return code.repeat(Math.ceil(length / code.length)).slice(0, length);
}

function numbered(index: number, text: string): string {
  return String(index).padStart(2, '0') + text;
}
