import type { CoderOptions } from '../config/coder-options.ts';
import type { Environment } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import { ConfiguredModels } from './configured-models.ts';
import type { ModelCatalog } from './model-catalog.ts';
import { singleModel } from './model-catalog.ts';

/** The sources of models. */
export interface ModelSources {
  readonly settings: Settings;
  readonly env: Environment;
  readonly options: CoderOptions;
}

/**
 * The models a session can choose from.
 * @throws ProtocolError `authenticationRequired` if the key of the configured model is missing, `invalidParams` for an unknown provider
 */
export async function openModels({ settings, env, options: { model } }: ModelSources): Promise<ModelCatalog> {
  return model === undefined || typeof model === 'string' ? ConfiguredModels.open(settings, env) : singleModel(model);
}
