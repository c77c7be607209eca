import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { McpLimits } from './mcp/mcp-limits.ts';

/** How the coding agent works. Everything has a default. */
export interface CoderOptions {
  /**
   * The model sessions begin with, as `provider/model`; or the one model behind the agent, or how to get it on the first prompt: then there is no other
   * to choose. Default: what `TURNWIRE_CODER_MODEL` or the file of settings says, else a model there is a key for, else
   * the offline model, which needs nothing.
   */
  readonly model?: string | LanguageModelV3 | (() => Promise<LanguageModelV3>) | undefined;
  /** Answers of the model in one turn, after which it ends with `max_turn_requests`. Default 100. */
  readonly maxSteps?: number | undefined;
  /** Tokens of all answers of one turn, after which it ends with `max_tokens`. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** US dollars one turn may cost, where the model's price is known; then it ends with `max_turn_requests`. Default: no limit. */
  readonly maxCost?: number | undefined;
  /** Minutes one turn may last; then it ends with `max_turn_requests`. Default: no limit. */
  readonly maxMinutes?: number | undefined;
  /** What the model is told of its work, in place of our words. Its mode, where it works and the project's instructions are told besides. */
  readonly systemPrompt?: string | undefined;
  /** What the model is told after everything else. */
  readonly appendSystemPrompt?: string | undefined;
  /**
   * The absolute path of the folder sessions are kept in, so that they can be listed, loaded and resumed. False: they are not kept.
   * Default: not, except when served on stdin and stdout: then in `turnwire/coder/sessions` below `XDG_STATE_HOME`
   * (`~/.local/state`), or where `TURNWIRE_CODER_SESSIONS` says.
   */
  readonly sessions?: string | false | undefined;
  /** The environment keys, addresses and settings are looked up in, and with them the folders of configuration and state. Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** How long MCP servers may take and how many of their tools the model is offered. Default: see {@link McpLimits}. */
  readonly mcp?: Partial<McpLimits> | undefined;
}
