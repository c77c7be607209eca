import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { attachAgent } from '@turnwire/client';
import { childSessions } from '@turnwire/client/extensions';
import { protocolVersions } from '@turnwire/client/v2';
import { expect, onTestFinished, test } from 'vitest';
import { chance, malformedText, odd } from '../../../protocol/test/v2/malformed-frames.ts';
import { rawAgentEnds } from './malformed-transports.ts';

/** `TURNWIRE_MALFORMED_FRAMES=1000000` sends as many, and prints what it came to. */
const count = Number(process.env['TURNWIRE_MALFORMED_FRAMES'] ?? 5_000);
/** Frames between two turns. */
const portion = 500;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of JavaScript objects that are in use. */
function used(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const kinds: readonly string[] = [
  'user_message',
  'agent_message',
  'agent_thought_chunk',
  'agent_message_chunk',
  'tool_call_update',
  'tool_call_content_chunk',
  'terminal_update',
  'terminal_output_chunk',
  'plan_update',
  'plan_removed',
  'state_update',
  'compaction_update',
  'compaction_summary_chunk',
  'subagent_update',
  'session_message',
  'session_message_chunk',
  'usage_update',
  'config_option_update',
  'replay_complete',
  'x_future',
];
const fields: readonly string[] = [
  ...['messageId', 'toolCallId', 'terminalId', 'compactionId', 'planId', 'sessionId', 'content', 'status', 'state'],
  ...['title', 'data', 'output', 'exitStatus', 'background', 'capabilities', 'locations', 'plan', 'summary', '_meta'],
];
const values: readonly string[] = [
  ...['"a"', '"b"', '"running"', '"idle"', '"YQ=="', '"€"', '[]', '{"data":"8J+Y"}', '{"exitCode":1}', 'null'],
  ...['{"type":"text","text":"x"}', '[{"type":"text","text":"y"}]', '[{"type":"terminal","terminalId":"a"}]'],
  ...['{"type":"terminal","terminalId":"b"}', '{"type":"content","content":{"type":"text","text":"z"}}'],
  ...['[{"type":"diff","changes":[{"operation":"move","path":"/a"}]}]', '{"cancel":{}}'],
];

/** An update of a session with fields that may fit, in any order and for any part of the session. */
function randomUpdate(random: () => number): string {
  const one = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const id = (): string => (random() < 0.9 ? `"${one(['a', 'b', 'c', `n${Math.floor(random() * 1e6)}`])}"` : one(odd));
  const given = fields.flatMap((field) => {
    if (field.endsWith('Id')) return [`"${field}":${id()}`];
    return random() < 0.35 ? [`"${field}":${random() < 0.8 ? one(values) : one(odd)}`] : [];
  });
  const session = one(['s', 's', 's', 'child', 'none']);
  return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"${session}","update":{"sessionUpdate":"${one(kinds)}",${given.join(',')}}}}`;
}

/** An answer with the id of an open request would be one to it. */
function malformedForClient(random: () => number): string {
  return malformedText(random).replaceAll(/"id":(?=\d)/g, '"id":-');
}

test.each(Object.entries(rawAgentEnds))(
  `over %s a client of version 2 survives ${count} malformed messages and random updates, and its memory stays bounded`,
  async (_, reach) => {
    const send = (message: object): unknown => end.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const update = (fields: object): unknown =>
      send({ method: 'session/update', params: { sessionId: 's', update: fields } });
    let prompts = 0;
    const answers: Readonly<Record<string, () => object>> = {
      initialize: () => ({ protocolVersion: 2, info: { name: 'raw', version: '1' }, capabilities: { session: {} } }),
      'session/new': () => ({ sessionId: 's' }),
      'session/prompt': () => {
        const messageId = `prompt-${++prompts}`;
        update({ sessionUpdate: 'user_message', messageId, content: [] });
        setTimeout(() => update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }), 0);
        return { messageId };
      },
    };
    const end = await reach((text) => {
      const { id, method } = JSON.parse(text) as { readonly id?: unknown; readonly method?: string };
      const answer = method === undefined ? undefined : answers[method];
      if (answer) send({ id, result: answer() });
    });
    onTestFinished(() => end.close());
    await using agent = await attachAgent(end.transport, { versions: protocolVersions([2]), childSessions });
    let updates = 0;
    const session = await agent.newSession({
      cwd: '/',
      onUpdate: () => void updates++,
      onChildUpdate: () => void updates++,
    });
    const random = chance(11);
    const feed = async (frames: number): Promise<void> => {
      for (let sent = 0; sent < frames; sent += portion) {
        for (let index = 0; index < portion; index++)
          void end.send(random() < 0.5 ? malformedForClient(random) : randomUpdate(random));
        expect(await session.prompt('still there?').result).toEqual({ stopReason: 'end_turn' });
      }
    };
    await feed(count / 2);
    const before = used();
    await feed(count / 2);
    const growth = used() - before;
    if (count > 5_000) console.log({ count, growth, updates });
    expect(updates).toBeGreaterThan(count / 10);
    expect(growth).toBeLessThan(8 * 2 ** 20);
  },
  600_000,
);
