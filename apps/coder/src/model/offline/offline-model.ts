import type { LanguageModelV3, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import { nextMove } from './offline-steps.ts';
import type { Move } from './offline-steps.ts';
import type { Ending } from './parse-instructions.ts';

const chunkLength = 256;

const usage: LanguageModelV3Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/**
 * A model that needs no key and no network: it follows plain instructions, one tool call per step unless several are requested,
 * and reports the results. It is deterministic: the same conversation always gets the same answer. It streams like a
 * real provider, so the rest of the agent treats it like any other model.
 */
export const offlineModel: LanguageModelV3 = {
  specificationVersion: 'v3',
  provider: 'turnwire',
  modelId: 'offline',
  supportedUrls: {},
  doStream: async ({ prompt }) => {
    const parts = streamParts(nextMove(prompt));
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      pull(controller) {
        const { done, value } = parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    return { stream };
  },
  doGenerate: async ({ prompt }) => {
    const move = nextMove(prompt);
    return { content: contentOf(move), ...ending(move), warnings: [] };
  },
};

function* streamParts(move: Move): Generator<LanguageModelV3StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'response-metadata', modelId: 'offline' };
  for (const [index, spoken] of move.spoken.entries()) {
    const [type, text] = 'say' in spoken ? (['text', spoken.say] as const) : (['reasoning', spoken.think] as const);
    const id = String(index);
    yield { type: `${type}-start`, id };
    for (const delta of text.match(new RegExp(`[^]{1,${chunkLength}}`, 'gu')) ?? [])
      yield { type: `${type}-delta`, id, delta };
    yield { type: `${type}-end`, id };
  }
  for (const { id, call } of move.calls) {
    const json = JSON.stringify(call.input);
    yield { type: 'tool-input-start', id, toolName: call.tool };
    yield { type: 'tool-input-delta', id, delta: json };
    yield { type: 'tool-input-end', id };
    yield { type: 'tool-call', toolCallId: id, toolName: call.tool, input: json };
  }
  if (move.end === 'error') yield { type: 'error', error: new Error('the prompt asked for an error') };
  else yield { type: 'finish', ...ending(move) };
}

type Content = Awaited<ReturnType<LanguageModelV3['doGenerate']>>['content'];

function contentOf({ spoken, calls }: Move): Content {
  return [
    ...spoken.map((each) =>
      'say' in each ? ({ type: 'text', text: each.say } as const) : ({ type: 'reasoning', text: each.think } as const),
    ),
    ...calls.map(({ id, call: { tool, input } }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: tool,
      input: JSON.stringify(input),
    })),
  ];
}

type Finish = Omit<Extract<LanguageModelV3StreamPart, { type: 'finish' }>, 'type'>;

const reasons: Readonly<Record<Ending, Finish['finishReason']['unified']>> = {
  refusal: 'content-filter',
  'max tokens': 'length',
  error: 'error',
};

function ending({ calls, end }: Move): Finish {
  const unified = end ? reasons[end] : calls.length > 0 ? 'tool-calls' : 'stop';
  return { usage, finishReason: { unified, raw: undefined } };
}
