import type { SessionConfigOption } from '@agentwire/protocol';
import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import { modelCallFailed } from './model-failure.ts';

/** A model, ready to be asked. */
export interface ChosenModel {
  /** `provider/model`. */
  readonly id: string;
  readonly model: LanguageModelV3;
  /** What calls carry for the thought level chosen and the like. */
  readonly providerOptions?: SharedV3ProviderOptions | undefined;
  /** Tokens of conversation and answer together. Undefined: not known. */
  readonly contextWindow?: number | undefined;
  /** Tokens one answer may have. Undefined: the provider's own limit. */
  readonly maxOutputTokens?: number | undefined;
  /** In US dollars per million tokens. Undefined: not known. */
  readonly price?: ModelPrice | undefined;
  /** Content besides text that prompts may hold. */
  readonly takes: { readonly image: boolean; readonly audio: boolean; readonly pdf: boolean };
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
  /** The value of the option `model`. */
  readonly model: string | undefined;
  /** The value of the option `thought_level`. */
  readonly thoughtLevel: string | undefined;
}

/** The models there are. */
export interface ModelCatalog {
  /** The options that choose a model and how it thinks, for this choice. */
  options(choice: ModelChoice): readonly SessionConfigOption[];
  /** Looks for models that come and go, a local server's say. True if what is offered has changed. Takes at most a second. */
  refresh(): Promise<boolean>;
  /** Loads the model and nothing else. @throws ProtocolError `authenticationRequired` when it needs a key and there is none */
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
