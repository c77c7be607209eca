import type { LanguageModelV3 } from '@ai-sdk/provider';

/** How the coding agent works. Everything has a default. */
export interface CoderOptions {
  /** The model behind the agent, or how to get it on the first prompt. Default: the offline model, which needs no key. */
  readonly model?: LanguageModelV3 | (() => Promise<LanguageModelV3>) | undefined;
  /** Answers of the model in one turn, after which it ends with `max_turn_requests`. Default 100. */
  readonly maxSteps?: number | undefined;
  /**
   * The absolute path of the folder sessions are kept in, so that they can be listed, loaded and resumed. False: they are not kept.
   * Default: not, except when served on stdin and stdout: then in `agentwire/coder/sessions` below `XDG_STATE_HOME`
   * (`~/.local/state`), or where `AGENTWIRE_CODER_SESSIONS` says.
   */
  readonly sessions?: string | false | undefined;
}
