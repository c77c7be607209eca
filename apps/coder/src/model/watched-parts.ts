import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { unlessAborted } from '@turnwire/machine/waits';
import { AnswerDefect } from './answer-defect.ts';
import { saysSomething } from './says-something.ts';
import type { StreamLimits } from './stream-limits.ts';

type Part = LanguageModelV3StreamPart;

/**
 * One attempt at an answer. Ends with `finish`; throws if the model reports an error, breaks off, is silent for too long or is aborted.
 * Its timers and listeners are removed however it ends.
 */
export async function* watchedParts(
  model: LanguageModelV3,
  call: LanguageModelV3CallOptions,
  { signal: outer, limits }: { readonly signal: AbortSignal; readonly limits: StreamLimits },
): AsyncGenerator<Part, void, undefined> {
  const controller = new AbortController();
  const signal = AbortSignal.any([outer, controller.signal]);
  const ending = { controller, signal };
  let reader: ReadableStreamDefaultReader<Part> | undefined;
  try {
    signal.throwIfAborted();
    // Raw chunks are signs of life, such as a server's pings, that result in no other part.
    const answer = model.doStream({ ...call, abortSignal: signal, includeRawChunks: true });
    const { stream, response } = await unlessSilent(answer, limits.firstByte, ending);
    reader = stream.getReader();
    yield* partsUntilFinish(reader, { ending, limits, headers: response?.headers ?? {} });
  } finally {
    controller.abort();
    reader?.cancel().catch(() => undefined);
  }
}

interface Ending {
  /** Ends the attempt. */
  readonly controller: AbortController;
  /** Aborts when the attempt is ended, or no longer wanted. */
  readonly signal: AbortSignal;
}

interface Reading {
  readonly ending: Ending;
  readonly limits: StreamLimits;
  readonly headers: Readonly<Record<string, string>>;
}

async function* partsUntilFinish(
  reader: ReadableStreamDefaultReader<Part>,
  { ending, limits, headers }: Reading,
): AsyncGenerator<Part, void, undefined> {
  let isSilent = true;
  for (;;) {
    const read = await unlessSilent(reader.read(), isSilent ? limits.firstByte : limits.idle, ending);
    const part = read.done ? undefined : read.value;
    if (part?.type === 'raw') continue;
    if (part === undefined || part.type === 'error' || (part.type === 'finish' && !isEnd(part)))
      throw warningWith(part, headers);
    if (saysSomething(part)) isSilent = false;
    yield part;
    if (part.type === 'finish') return;
  }
}

/** The promise's value, unless it takes too long or the call is aborted. A provider may ignore its signal. */
async function unlessSilent<Value>(
  work: PromiseLike<Value>,
  timeout: number,
  { controller, signal }: Ending,
): Promise<Value> {
  const timer = setTimeout(() => controller.abort(new AnswerDefect('stalled', { timeout })), timeout);
  try {
    return await unlessAborted(Promise.resolve(work), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Providers report a stream that was cut off as one that ended without a reason. */
function isEnd({ finishReason: { unified, raw } }: Extract<Part, { type: 'finish' }>): boolean {
  return unified !== 'error' && !(unified === 'other' && raw === undefined);
}

function warningWith(
  part: Extract<Part, { type: 'error' | 'finish' }> | undefined,
  headers: Readonly<Record<string, string>>,
): unknown {
  if (part?.type === 'error' && !isBreakOff(part.error)) return part.error;
  if (/\bhtml\b/i.test(headers['content-type'] ?? '')) return new AnswerDefect('not-understood');
  if (part?.type === 'finish' && part.finishReason.unified === 'error' && part.finishReason.raw !== undefined)
    return new AnswerDefect('server-error', { providerMessage: part.finishReason.raw });
  return new AnswerDefect('broke-off');
}

/** A provider's own terms for an answer without an end. */
function isBreakOff(error: unknown): boolean {
  return error instanceof Error && /ended without a finish reason/i.test(error.message);
}
