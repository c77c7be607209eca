import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { backOff, pause } from '@turnwire/machine/waits';
import type { ChosenModel } from './model.ts';
import { modelFailure } from './model-failure.ts';
import type { ModelFailure } from './model-failure.ts';
import { defaultStreamLimits } from './stream-limits.ts';
import type { StreamLimits } from './stream-limits.ts';
import { watchedParts } from './watched-parts.ts';
import { saysSomething } from './says-something.ts';

/** A failed attempt that is followed by another. */
export interface Retry {
  /** The reason and the time of the next attempt, as one sentence for the user: `Anthropic is overloaded; trying again in 4 s (2 of 5).` */
  readonly message: string;
  readonly failure: ModelFailure;
  /** The number of the next attempt; the first one was 1. */
  readonly attempt: number;
  readonly attempts: number;
  /** Milliseconds until then. */
  readonly delay: number;
}

/** The options of a model call. */
export interface StreamOptions {
  /** Ends the call and any pause at once. */
  readonly signal: AbortSignal;
  /** Called before each pause; the pause begins when it has returned. */
  readonly onRetry?: ((retry: Retry) => void | Promise<void>) | undefined;
  /** Default: those of the model, else {@link defaultStreamLimits}. */
  readonly limits?: Partial<StreamLimits> | undefined;
}

/**
 * Calls a model and streams its answer part by part, `finish` last. Temporary failures are retried until a visible part was returned: too
 * many requests, overload, errors of the server and of the network, and silence.
 * @param call the request; `providerOptions` and `maxOutputTokens` of the model are added unless they are set, `abortSignal` always
 * @throws ModelFailure if there is no answer or it broke off; the parts before then are all there is. Never passes on an `error` part.
 * @throws the signal's reason if it was aborted
 */
export async function* streamModel(
  chosen: ChosenModel,
  call: LanguageModelV3CallOptions,
  { signal, onRetry, limits: overrides }: StreamOptions,
): AsyncGenerator<LanguageModelV3StreamPart, void, undefined> {
  const limits = { ...defaultStreamLimits, ...chosen.limits, ...overrides };
  const { providerOptions, maxOutputTokens } = chosen;
  const whole = { ...(providerOptions && { providerOptions }), ...(maxOutputTokens && { maxOutputTokens }), ...call };
  const delays = backOff({ first: limits.firstPause, most: limits.longestPause, jitter: 0.5 });
  for (let attempt = 1; ; attempt++) {
    const beginning = new Beginning();
    try {
      for await (const part of watchedParts(chosen.model, whole, { signal, limits })) yield* beginning.take(part);
      return;
    } catch (error) {
      signal.throwIfAborted();
      const failure = modelFailure(chosen, error);
      const { retryable, retryAfter: delay = delays.next().value } = failure.data;
      if (!retryable || beginning.isOver || attempt >= limits.attempts || delay > limits.longestPause) throw failure;
      await onRetry?.(retryOf(failure, { attempt: attempt + 1, attempts: limits.attempts, delay }));
      await pause(delay, signal);
    }
  }
}

function retryOf(failure: ModelFailure, numbers: Pick<Retry, 'attempt' | 'attempts' | 'delay'>): Retry {
  const { attempt, attempts, delay } = numbers;
  const when = `trying again in ${Math.max(1, Math.round(delay / 1000))} s (${attempt} of ${attempts})`;
  return { message: `${failure.brief}; ${when}.`, failure, ...numbers };
}

/** Buffers the beginning of an answer until it has visible content: until then the call can be retried. */
class Beginning {
  #heldBack: LanguageModelV3StreamPart[] = [];
  #isOver = false;

  /** True once there was visible content. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The parts to pass on after this part. */
  take(part: LanguageModelV3StreamPart): readonly LanguageModelV3StreamPart[] {
    this.#isOver ||= saysSomething(part);
    const parts = [...this.#heldBack, part];
    this.#heldBack = this.#isOver ? [] : parts;
    return this.#isOver ? parts : [];
  }
}
