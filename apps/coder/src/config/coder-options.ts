import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { HireableAgents } from './hireable-agents.ts';
import type { McpLimits } from './mcp-limits.ts';

/** The options of the coding agent. All have defaults. */
export interface CoderOptions {
  /**
   * The model of new sessions, as `provider/model`; or the only model of the agent, or a function that returns it on the first prompt.
   * Default: that of `TURNWIRE_CODER_MODEL` or the settings file, else one with a key, else the offline model, which needs nothing.
   */
  readonly model?: string | LanguageModelV3 | (() => Promise<LanguageModelV3>) | undefined;
  /** Model calls in one turn, after which it ends with `max_turn_requests`. Default 100. */
  readonly maxSteps?: number | undefined;
  /** Tokens of all answers in one turn, after which it ends with `max_tokens`. Default: no limit. */
  readonly maxTokens?: number | undefined;
  /** US dollars one turn may cost, if the model's price is known; then it ends with `max_turn_requests`. Default: no limit. */
  readonly maxCost?: number | undefined;
  /** Minutes one turn may last; then it ends with `max_turn_requests`. Default: no limit. */
  readonly maxMinutes?: number | undefined;
  /** Replaces our instructions to the model. Its mode, its environment and the project's instructions are added in any case. */
  readonly systemPrompt?: string | undefined;
  /** Instructions to the model after all others. */
  readonly appendSystemPrompt?: string | undefined;
  /**
   * The absolute path of the folder sessions are stored in, so that they can be listed, loaded and resumed. False: they are not stored.
   * Default: false, except when served on stdin and stdout: then `turnwire/coder/sessions` in `XDG_STATE_HOME`
   * (`~/.local/state`), or the value of `TURNWIRE_CODER_SESSIONS`.
   */
  readonly sessions?: string | false | undefined;
  /** The environment with keys, addresses, settings, and the folders of configuration and state. Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * The first prompt waits until each MCP server is connected or has failed: for clients that send one prompt only. Default: it waits as long as
   * the limits in `mcp` allow.
   */
  readonly waitForMcp?: boolean | undefined;
  /** The agents that the model can give tasks to with `delegate`, besides sub-agents of this one. Default: none. */
  readonly agents?: HireableAgents | undefined;
  /** Time limits of MCP servers, and how many of their tools the model is offered. Default: see {@link McpLimits}. */
  readonly mcp?: Partial<McpLimits> | undefined;
}
