import type { LanguageModelV3 } from '@ai-sdk/provider';

/** How the coding agent works. Everything has a default. */
export interface CoderOptions {
  /** The model behind the agent, or how to get it on the first prompt. Default: the offline model, which needs no key. */
  readonly model?: LanguageModelV3 | (() => Promise<LanguageModelV3>) | undefined;
  /** Answers of the model in one turn, after which it ends with `max_turn_requests`. Default 100. */
  readonly maxSteps?: number | undefined;
}
