import type { SessionConfigOption } from '@agentwire/protocol';
import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import { modelCallFailed } from './model-failure.ts';
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

/** Who answers, in words a person can act on. */
export interface ModelProvider {
  /** For people: `Anthropic`. */
  readonly name: string;
  /** The variable its key is looked up in first. */
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

/** What a session has chosen. */
export interface ModelChoice {
  /** The value of the option `model`. Undefined: the one sessions begin with. */
  readonly model: string | undefined;
  /** The value of the option `thought_level`. Undefined: the model's own. */
  readonly thoughtLevel: string | undefined;
}

/** The models there are. */
export interface ModelCatalog {
  /** The options that choose a model and how it thinks, for this choice. */
  options(choice: ModelChoice): readonly SessionConfigOption[];
  /** Where a look-up took longer than the session waited: resolves when it is over, true if what is offered has changed since. Never rejects. */
  readonly late?: Promise<boolean> | undefined;
  /** Looks for models that come and go, a local server's say, and for keys. True if what is offered has changed. Takes at most a second. */
  refresh(): Promise<boolean>;
  /**
   * Offers a model nobody listed, for as long as this catalog is used, so that it can be chosen. Absent: what is listed is all there is.
   * @throws ProtocolError `authenticationRequired` when it needs a key and there is none, `invalidParams` when there is no such provider
   */
  readonly offer?: ((id: string) => Promise<void>) | undefined;
  /**
   * Loads the model and nothing else.
   * @throws ProtocolError `authenticationRequired` when it needs a key and there is none, `invalidParams` when there is no such provider
   */
  open(choice: ModelChoice): Promise<ChosenModel>;
}

/** A catalog of one model, for those who bring their own. */
export function singleModel(model: LanguageModelV3 | (() => Promise<LanguageModelV3>)): ModelCatalog {
  return {
    options: () => [],
    refresh: async () => false,
    open: async () => {
      const opened = typeof model === 'function' ? await model().catch(refuse) : model;
      const { provider, modelId } = opened;
      return { id: `${provider}/${modelId}`, model: opened, takes: { image: true, audio: true, pdf: true } };
    },
  };
}

function refuse(error: unknown): never {
  throw modelCallFailed('the model', error);
}
