import type { SessionConfigOption } from '@turnwire/protocol';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ChosenModel } from './model.ts';
import { modelCallFailed } from './model-failure.ts';

/** The choices of a session. */
export interface ModelChoice {
  /** The value of the option `model`. Undefined: the default model. */
  readonly model: string | undefined;
  /** The value of the option `thought_level`. Undefined: the model's own. */
  readonly thoughtLevel: string | undefined;
}

/** The available models. */
export interface ModelCatalog {
  /** The options for the model and its thinking, for these choices. */
  options(choice: ModelChoice): readonly SessionConfigOption[];
  /** A look-up that took longer than the session waited: resolves when it is over, true if the offers have changed since. Never rejects. */
  readonly late?: Promise<boolean> | undefined;
  /** Looks for keys and for models that come and go, such as those of a local server. True if the offers have changed. Takes at most a second. */
  refresh(): Promise<boolean>;
  /**
   * Offers an unlisted model, for as long as this catalog is used, so that it can be chosen. Absent if only listed models can be used.
   * @throws ProtocolError `authenticationRequired` if its key is missing, `invalidParams` for an unknown provider
   */
  readonly offer?: ((id: string) => Promise<void>) | undefined;
  /**
   * Loads the model and nothing else.
   * @throws ProtocolError `authenticationRequired` if its key is missing, `invalidParams` for an unknown provider
   */
  open(choice: ModelChoice): Promise<ChosenModel>;
}

/** A catalog of one model, for programs that bring their own. */
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
