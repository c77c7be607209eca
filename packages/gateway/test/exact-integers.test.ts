import { tmpdir } from 'node:os';
import { attachAgent } from '@turnwire/client';
import type { Transport } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway } from '../src/index.ts';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';

const cwd = tmpdir();
const row = '1915883588174806058';

/** An agent of raw frames: it records what it receives, and reports a tool call with a long integer in each turn. */
function rowAgent(received: string[]): HostedAgent {
  return {
    start: (options) => {
      const [near, far] = memoryPair();
      far.start({
        frame: (text) => {
          received.push(text);
          const { id, method } = JSON.parse(text) as { readonly id?: number; readonly method?: string };
          const answer = (result: string): void => void far.send(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
          if (method === 'initialize') answer('{"protocolVersion":1,"agentCapabilities":{}}');
          if (method === 'session/new') answer('{"sessionId":"s"}');
          if (method === '_acme/row') answer(`{"row":${row}}`);
          if (method !== 'session/prompt') return undefined;
          const call = `{"sessionUpdate":"tool_call","toolCallId":"c","title":"Read","rawInput":{"row":${row},"text":"\\"${row}"}}`;
          void far.send(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":${call}}}`);
          answer('{"stopReason":"end_turn"}');
          return undefined;
        },
        warning: () => undefined,
        end: () => undefined,
      });
      return attachAgent(near, options);
    },
  };
}

/** A client of raw frames. */
function frameClient(transport: Transport): {
  readonly ask: (frame: string) => Promise<string>;
  readonly seen: string[];
} {
  const seen: string[] = [];
  const waiting: ((text: string) => void)[] = [];
  transport.start({
    frame: (text) => {
      seen.push(text);
      if (!text.includes('"method"')) waiting.shift()?.(text);
      return undefined;
    },
    warning: () => undefined,
    end: () => undefined,
  });
  const ask = (frame: string): Promise<string> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      void transport.send(frame);
    });
  return { ask, seen };
}

test('integers above 2^53 pass through the gateway unchanged, in both directions, in ids, and in the log', async () => {
  const received: string[] = [];
  await using gateway = new Gateway({ store: memoryStore(), agents: { test: rowAgent(received) }, cwd });
  const connected = (): ReturnType<typeof frameClient> => {
    const [near, far] = memoryPair();
    gateway.attach(far, { principal: { tenant: 'local', scope: 'control' }, agent: 'test' });
    return frameClient(near);
  };
  const client = connected();
  const call = (id: string, method: string, params: string): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
  const initialize = call('1', 'initialize', '{"protocolVersion":1}');
  await client.ask(initialize);
  const opened = await client.ask(call('2', 'session/new', `{"cwd":"${cwd}","mcpServers":[]}`));
  const sessionId = /"sessionId":"([^"]+)"/.exec(opened)?.[1];
  const answered = await client.ask(call(row, '_acme/row', `{"sessionId":"${sessionId}","row":-${row}}`));
  await client.ask(call('3', 'session/prompt', `{"sessionId":"${sessionId}","prompt":[{"type":"text","text":"go"}]}`));
  const later = connected();
  await later.ask(initialize);
  await later.ask(call('4', 'session/load', `{"sessionId":"${sessionId}","cwd":"${cwd}","mcpServers":[]}`));
  const rawInput = `"rawInput":{"row":${row},"text":"\\"${row}"}`;
  expect([
    answered,
    received.some((text) => text.includes(`"row":-${row}`)),
    client.seen.some((text) => text.includes(rawInput)),
    later.seen.some((text) => text.includes(rawInput)),
  ]).toEqual([`{"jsonrpc":"2.0","id":${row},"result":{"row":${row}}}`, true, true, true]);
});
