import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { ModelPrice } from '../config/setting-groups.ts';
import type { StreamLimits } from './stream-limits.ts';

/** A model, ready to be called. */
export interface ChosenModel {
  /** `provider/model`. */
  readonly id: string;
  readonly model: LanguageModelV3;
  /** Provider options for calls, such as for the chosen thought level. `streamModel` adds them. */
  readonly providerOptions?: SharedV3ProviderOptions | undefined;
  /** Tokens of conversation and answer together. Undefined: unknown. */
  readonly contextWindow?: number | undefined;
  /** The token limit of one answer; `streamModel` adds it. Undefined: the provider's own limit. */
  readonly maxOutputTokens?: number | undefined;
  /** In US dollars per million tokens. Undefined: unknown. */
  readonly price?: ModelPrice | undefined;
  /** Content besides text that prompts may hold. For unknown models the guess is images. */
  readonly takes: { readonly image: boolean; readonly audio: boolean; readonly pdf: boolean };
  /** Its provider, for messages. Absent for a model passed by the program. */
  readonly provider?: ModelProvider | undefined;
  /** Ids of other models of the same provider. */
  readonly siblings?: readonly string[] | undefined;
  /** A warning for the user before the first answer. */
  readonly warning?: string | undefined;
  /** Its time limits. */
  readonly limits?: Partial<StreamLimits> | undefined;
  /** Texts that no message may contain, such as the key. */
  readonly secrets?: readonly string[] | undefined;
}

/** A provider in terms that users can act on. */
export interface ModelProvider {
  /** Its name for users: `Anthropic`. */
  readonly name: string;
  /** The variable its key was found in, or is looked up in first. */
  readonly keyVariable: string | undefined;
  /** Where users get a key. */
  readonly keysAt: string | undefined;
  /** Its address. */
  readonly baseUrl: string | undefined;
  /** The variable that sets the address. */
  readonly baseUrlVariable: string | undefined;
  /** Whether it runs on this machine. */
  readonly isLocal: boolean;
}
