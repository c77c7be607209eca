import type { SessionConfigOption } from '@turnwire/protocol';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ChosenModel } from './model.ts';
import { modelCallFailed } from './model-failure.ts';

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
