import { ReadableStream as StreamOfNode } from 'node:stream/web';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectClient, protocolVersion } from '@turnwire/protocol';
import type { PromptResponse, SessionUpdate } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { serveCoder } from '../src/index.ts';
import type { CoderOptions } from '../src/index.ts';
import type { Decide } from './coder-process.ts';

export type Part = LanguageModelV3StreamPart;

/** What a model answers: the parts it streams, or why it does not. */
export type ScriptedAnswer = readonly Part[] | AsyncIterable<Part> | Error;

const usage = {
  inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: undefined, reasoning: undefined },
};

export function says(text: string, id = '0'): readonly Part[] {
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ];
}

export function calls(toolName: string, input: unknown, toolCallId = 'call-1'): Part {
  return { type: 'tool-call', toolCallId, toolName, input: typeof input === 'string' ? input : JSON.stringify(input) };
}

export function finishes(unified: Extract<Part, { type: 'finish' }>['finishReason']['unified'] = 'stop'): Part {
  return { type: 'finish', usage, finishReason: { unified, raw: undefined } };
}

/** A model that gives these answers in order and records its requests. */
export class ScriptedModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider = 'test';
  readonly modelId = 'scripted';
  readonly supportedUrls = {};
  readonly asked: LanguageModelV3CallOptions[] = [];
  /** The names of the tools it was offered, each time. */
  readonly tools: (readonly string[])[] = [];
  readonly #answers: ScriptedAnswer[];

  constructor(...answers: ScriptedAnswer[]) {
    this.#answers = answers;
  }

  doGenerate(): Promise<never> {
    return Promise.reject(new Error('not streamed'));
  }

  doStream(options: LanguageModelV3CallOptions): ReturnType<LanguageModelV3['doStream']> {
    this.asked.push(structuredClone({ prompt: options.prompt }));
    this.tools.push((options.tools ?? []).map(({ name }) => name));
    const answer = this.#answers.shift() ?? [...says('That is all.'), finishes()];
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve({ stream: StreamOfNode.from<Part>(answer) as ReadableStream<Part> });
  }
}

/** Updates that do not belong to turns: titles and commands. */
const besides: ReadonlySet<string> = new Set(['session_info_update', 'available_commands_update']);

/** The coder with a model of ours, in memory, in a folder that holds these files. */
export interface ScriptedSession extends AsyncDisposable {
  readonly updates: SessionUpdate[];
  readonly folder: string;
  readonly prompt: (text: string) => Promise<PromptResponse>;
  readonly cancel: () => Promise<void>;
}

export async function scriptedSession(
  options: CoderOptions,
  files: Record<string, string> = {},
  decide: Decide = () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } }),
): Promise<ScriptedSession> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'coder-')));
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  const [here, there] = memoryPair();
  const nowhere = join(tmpdir(), 'turnwire-tests-nowhere');
  const env = { XDG_CONFIG_HOME: join(nowhere, 'config'), XDG_STATE_HOME: join(nowhere, 'state') };
  const agent = serveCoder({ env, ...options, transport: there });
  const updates: SessionUpdate[] = [];
  const client = connectClient(here, {
    'session/update': ({ update }) => {
      if (!besides.has(update.sessionUpdate)) updates.push(update);
    },
    'session/request_permission': decide,
  });
  await client.request('initialize', { protocolVersion });
  const { sessionId } = await client.request('session/new', { cwd: folder, mcpServers: [] });
  return {
    updates,
    folder,
    prompt: (text) => client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    cancel: () => client.notify('session/cancel', { sessionId }),
    [Symbol.asyncDispose]: async () => {
      await agent.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
