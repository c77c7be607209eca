import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { StreamLimits } from './stream-limits.ts';

/** A model, ready to be asked. */
export interface ChosenModel {
  /** `provider/model`. */
  readonly id: string;
  readonly model: LanguageModelV3;
  /** What calls carry for the thought level chosen and the like. `streamModel` fills it in. */
  readonly providerOptions?: SharedV3ProviderOptions | undefined;
  /** Tokens of conversation and answer together. Undefined: not known. */
  readonly contextWindow?: number | undefined;
  /** Tokens one answer may have; `streamModel` fills it in. Undefined: the provider's own limit. */
  readonly maxOutputTokens?: number | undefined;
  /** In US dollars per million tokens. Undefined: not known. */
  readonly price?: ModelPrice | undefined;
  /** Content besides text that prompts may hold. Of models nobody knows it is guessed: images. */
  readonly takes: { readonly image: boolean; readonly audio: boolean; readonly pdf: boolean };
  /** Who answers, for messages. Absent for a model somebody brought. */
  readonly provider?: ModelProvider | undefined;
  /** Ids of other models of the same provider. */
  readonly siblings?: readonly string[] | undefined;
  /** How long this model may take. */
  readonly limits?: Partial<StreamLimits> | undefined;
  /** What no message may hold: the key, say. */
  readonly secrets?: readonly string[] | undefined;
}

/** Who answers, in words a user can act on. */
export interface ModelProvider {
  /** For people: `Anthropic`. */
  readonly name: string;
  /** The variable its key was found in, or is looked up in first. */
  readonly keyVariable: string | undefined;
  /** Where people get a key. */
  readonly keysAt: string | undefined;
  /** Where it is asked. */
  readonly baseUrl: string | undefined;
  /** The variable that says where to ask. */
  readonly baseUrlVariable: string | undefined;
  /** It runs on this machine. */
  readonly isLocal: boolean;
}

/** In US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}
