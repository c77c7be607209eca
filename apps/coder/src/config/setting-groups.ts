import type { ModelPrice } from '../model/model.ts';

/** How one provider of models is reached, as far as the user said. */
export interface ProviderSettings {
  /** Where it is; with or without the version at the end. Empty: what was written is no address, and nothing is to go anywhere else. */
  readonly baseUrl?: string | undefined;
  /** Its key. The environment and the key store are asked first. */
  readonly apiKey?: string | undefined;
  /** Headers every request carries. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Models to offer besides those that are known: their names, or what is known of them. */
  readonly models?: readonly (string | ModelSettings)[] | undefined;
}

/** What is set of one model. It counts more than what is known of it or what its server says. */
export interface ModelSettings {
  readonly name: string;
  /** Tokens of conversation and answer together. */
  readonly contextWindow?: number | undefined;
  /** In US dollars per million tokens. */
  readonly price?: ModelPrice | undefined;
}

/** What a turn may take. Undefined: the agent's own default. */
export interface LimitSettings {
  /** Answers of the model in one turn. */
  readonly maxSteps: number | undefined;
  /** Tokens of all answers of one turn. */
  readonly maxTokens: number | undefined;
  /** US dollars one turn may cost, where the model's price is known. */
  readonly maxCost: number | undefined;
  /** Minutes one turn may last. */
  readonly maxMinutes: number | undefined;
}

/** How long to wait for a model, and how often to ask again. Undefined: the defaults of `defaultStreamLimits`. */
export interface PatienceSettings {
  /** Seconds until an answer begins. */
  readonly firstByteSeconds?: number | undefined;
  /** Seconds between two parts of an answer. */
  readonly idleSeconds?: number | undefined;
  /** How often a call is tried in all. */
  readonly attempts?: number | undefined;
}
