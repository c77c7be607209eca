import { ReadableStream as StreamOfNode } from 'node:stream/web';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveCoder } from '@turnwire/coder';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { median } from '../median.ts';

/** One call of a tool. */
export interface ToolCall {
  readonly tool: string;
  readonly input: object;
}

const warmUp = 5;

/**
 * The time of a tool call as the model sees it: from its call to the next request of the coder. It includes the messages to a client in
 * the same process, which allows every call. The first calls do not count.
 * @param cwd an absolute path
 * @returns the median, in milliseconds
 */
export async function timeToolCalls(cwd: string, calls: readonly ToolCall[]): Promise<number> {
  const model = new CallingModel(calls);
  const sessions = await mkdtemp(join(tmpdir(), 'bench-sessions-'));
  const [here, there] = memoryPair();
  const agent = serveCoder({ model, transport: there, sessions, env: { HOME: sessions } });
  const failures: string[] = [];
  const client = connectClient(here, {
    'session/update': ({ update }) => {
      if (update.sessionUpdate === 'tool_call_update' && update.status === 'failed')
        failures.push(JSON.stringify(update.content));
    },
    'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } }),
  });
  await client.request('initialize', { protocolVersion });
  const { sessionId } = await client.request('session/new', { cwd: await realpath(cwd), mcpServers: [] });
  await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Go' }] });
  await agent.close();
  await rm(sessions, { recursive: true, force: true });
  if (failures.length > 0 || model.times.length !== calls.length)
    throw new Error(`${failures.length} of ${calls.length} calls failed, ${model.times.length} ran: ${failures[0]}`);
  return median(model.times.slice(warmUp));
}

/** A model that makes these calls one after the other, and measures the time of each. */
class CallingModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider = 'bench';
  readonly modelId = 'calling';
  readonly supportedUrls = {};
  readonly times: number[] = [];
  readonly #calls: readonly ToolCall[];
  #since: number | undefined;
  #next = 0;

  constructor(calls: readonly ToolCall[]) {
    this.#calls = calls;
  }

  doGenerate(): Promise<never> {
    return Promise.reject(new Error('not streamed'));
  }

  doStream(): ReturnType<LanguageModelV3['doStream']> {
    if (this.#since !== undefined) this.times.push(performance.now() - this.#since);
    const parts = this.#answer(this.#calls[this.#next++]);
    this.#since = performance.now();
    return Promise.resolve({ stream: StreamOfNode.from(parts) as ReadableStream<LanguageModelV3StreamPart> });
  }

  #answer(call: ToolCall | undefined): readonly LanguageModelV3StreamPart[] {
    const [toolCallId, id] = [`call-${this.#next}`, '0'];
    const finish = (unified: 'stop' | 'tool-calls'): LanguageModelV3StreamPart => ({
      type: 'finish',
      usage,
      finishReason: { unified, raw: undefined },
    });
    return call === undefined
      ? [{ type: 'text-start', id }, { type: 'text-delta', id, delta: '.' }, { type: 'text-end', id }, finish('stop')]
      : [
          { type: 'tool-call', toolCallId, toolName: call.tool, input: JSON.stringify(call.input) },
          finish('tool-calls'),
        ];
  }
}

const usage = {
  inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: undefined, reasoning: undefined },
};
