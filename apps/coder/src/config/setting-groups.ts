/** How a model provider is reached, according to the user. */
export interface ProviderSettings {
  /** Its address, with or without the version at the end. Empty: the configured value is not an address, and no request may go elsewhere. */
  readonly baseUrl?: string | undefined;
  /** Its key. The environment and the key store take precedence. */
  readonly apiKey?: string | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Models to offer besides the known ones: their names, or facts about them. */
  readonly models?: readonly (string | ModelSettings)[] | undefined;
}

/** Settings of one model. They take precedence over known facts and those of its server. */
export interface ModelSettings {
  readonly name: string;
  /** Tokens of conversation and answer together. */
  readonly contextWindow?: number | undefined;
  /** In US dollars per million tokens. */
  readonly price?: ModelPrice | undefined;
}

/** In US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** A command that the user wants to run before or after tool calls. */
export interface HookSettings {
  /** A line for the shell, in the session's folder. */
  readonly command: string;
  /** Names of the tools whose calls run the hook. Absent: all. */
  readonly tools?: readonly string[] | undefined;
  /** Globs of the files that run the hook, relative to the session's folder. Absent: every call, also without files. */
  readonly files?: readonly string[] | undefined;
  /** Seconds until the command is killed and counts as failed. Default 60. */
  readonly timeoutSeconds?: number | undefined;
}

/** The commands before and after tool calls, in their order. */
export interface HookGroups {
  readonly before?: readonly HookSettings[] | undefined;
  readonly after?: readonly HookSettings[] | undefined;
}

/** The services that can search the web. */
export type WebSearchProvider = 'brave' | 'tavily' | 'searxng';

/** The service for web searches. */
export interface WebSearchSettings {
  readonly provider: WebSearchProvider;
  /** Its key. SearXNG has none. */
  readonly apiKey?: string | undefined;
  /** The address of the service. Default: its public one; for SearXNG, one on this machine. */
  readonly baseUrl?: string | undefined;
}

/** The limits of a turn. Undefined: the agent's default. */
export interface LimitSettings {
  /** Model calls in one turn. */
  readonly maxSteps: number | undefined;
  /** Tokens of all answers in one turn. */
  readonly maxTokens: number | undefined;
  /** US dollars one turn may cost, where the model's price is known. */
  readonly maxCost: number | undefined;
  /** Minutes one turn may last. */
  readonly maxMinutes: number | undefined;
}

/** Time limits and attempts of a model call. Undefined: the defaults of `defaultStreamLimits`. */
export interface TimeoutSettings {
  /** Seconds until an answer begins. */
  readonly firstByteSeconds?: number | undefined;
  /** Seconds between two parts of an answer. */
  readonly idleSeconds?: number | undefined;
  /** How often a call is attempted in total. */
  readonly attempts?: number | undefined;
}
