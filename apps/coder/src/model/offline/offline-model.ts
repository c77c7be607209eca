import type {
  LanguageModelV3,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { explainInstructions, reportResults } from './answers.ts';
import type { Outcome } from './answers.ts';
import { parseInstructions } from './parse-instructions.ts';
import type { Instruction } from './parse-instructions.ts';

/** What the model does next: call one tool, or say its last word. */
type Move = { readonly call: Instruction; readonly id: string } | { readonly text: string };

const chunkLength = 256;

const usage: LanguageModelV3Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/**
 * A model that needs no key and no network: it follows plain instructions, one tool call a step, and reports what came of
 * them. It is deterministic: the same conversation always gets the same answer. It streams what a provider would, so
 * whatever drives it cannot tell the difference.
 */
export const offlineModel: LanguageModelV3 = {
  specificationVersion: 'v3',
  provider: 'agentwire',
  modelId: 'offline',
  supportedUrls: {},
  doStream: async ({ prompt }) => ({ stream: streamOf(streamParts(nextMove(prompt))) }),
  doGenerate: async ({ prompt }) => ({
    content: [contentOf(nextMove(prompt))],
    ...ending(nextMove(prompt)),
    warnings: [],
  }),
};

function nextMove(prompt: LanguageModelV3Prompt): Move {
  const start = prompt.findLastIndex((message) => message.role === 'user');
  const text = promptText(prompt, start);
  const parsed = parseInstructions(text);
  if ('unknown' in parsed) return { text: explainInstructions(parsed.unknown) };
  const outcomes = pairOutcomes(parsed.instructions, toolResults(prompt.slice(start + 1)));
  const call = parsed.instructions[outcomes.length];
  const stopped = outcomes.some(({ result }) => failed(result));
  if (call === undefined || stopped)
    return { text: reportResults(outcomes, parsed.instructions.length - outcomes.length) };
  return { call, id: `call-${start}-${outcomes.length}` };
}

/** The user's words at `index`; `again` stands for the words before them. */
function promptText(prompt: LanguageModelV3Prompt, index: number): string {
  const message = prompt[index];
  if (message?.role !== 'user') return '';
  const text = message.content
    .flatMap((part) => (part.type === 'text' && !part.text.startsWith('<attachment') ? [part.text] : []))
    .join('\n');
  if (!/^\s*again[.!]?\s*$/i.test(text)) return text;
  return promptText(
    prompt,
    prompt.findLastIndex((earlier, at) => at < index && earlier.role === 'user'),
  );
}

function toolResults(messages: LanguageModelV3Prompt): readonly LanguageModelV3ToolResultPart[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? message.content.filter((part) => part.type === 'tool-result') : [],
  );
}

function pairOutcomes(
  instructions: readonly Instruction[],
  results: readonly LanguageModelV3ToolResultPart[],
): readonly Outcome[] {
  return instructions.flatMap((instruction, index) => {
    const result = results[index]?.output;
    return result === undefined ? [] : [{ instruction, result }];
  });
}

function failed({ type }: Outcome['result']): boolean {
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied';
}

function* streamParts(move: Move): Generator<LanguageModelV3StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'response-metadata', modelId: 'offline' };
  if ('text' in move) yield* textParts(move.text);
  else yield* toolCallParts(move.id, move.call);
  yield { type: 'finish', ...ending(move) };
}

function* textParts(text: string): Generator<LanguageModelV3StreamPart> {
  yield { type: 'text-start', id: '0' };
  for (const delta of text.match(new RegExp(`[^]{1,${chunkLength}}`, 'gu')) ?? [])
    yield { type: 'text-delta', id: '0', delta };
  yield { type: 'text-end', id: '0' };
}

function* toolCallParts(id: string, { tool, input }: Instruction): Generator<LanguageModelV3StreamPart> {
  const json = JSON.stringify(input);
  yield { type: 'tool-input-start', id, toolName: tool };
  yield { type: 'tool-input-delta', id, delta: json };
  yield { type: 'tool-input-end', id };
  yield { type: 'tool-call', toolCallId: id, toolName: tool, input: json };
}

function contentOf(move: Move): Awaited<ReturnType<LanguageModelV3['doGenerate']>>['content'][number] {
  if ('text' in move) return { type: 'text', text: move.text };
  return { type: 'tool-call', toolCallId: move.id, toolName: move.call.tool, input: JSON.stringify(move.call.input) };
}

function ending(
  move: Move,
): Extract<LanguageModelV3StreamPart, { type: 'finish' }> extends infer F ? Omit<F, 'type'> : never {
  return { usage, finishReason: { unified: 'text' in move ? 'stop' : 'tool-calls', raw: undefined } };
}

function streamOf(parts: Iterable<LanguageModelV3StreamPart>): ReadableStream<LanguageModelV3StreamPart> {
  const iterator = parts[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
