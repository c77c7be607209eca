import type { CoderOptions } from '../coder-options.ts';
import { firstSet } from '../config/environment.ts';
import type { Environment } from '../config/environment.ts';
import { readSettings } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { howToAddOne, offlineId } from '../model/model-options.ts';
import { openModels } from '../model/open-models.ts';
import { providers } from '../model/providers/providers.ts';
import { print, tell } from './printing.ts';

/**
 * Prints the models a session in this folder could choose from, one a line, with a mark at the one it would begin with; and on
 * stderr why that one.
 * @returns the exit code: 0, or 1 when the model that was chosen cannot be
 */
export async function printModels(options: CoderOptions = {}): Promise<number> {
  const env = options.env ?? process.env;
  const settings = await readSettings({ cwd: process.cwd(), env, options });
  for (const warning of settings.warnings) tell(warning);
  try {
    const models = await openModels({ settings, env, options });
    await models.late;
    const option = models.options({ model: undefined, thoughtLevel: undefined }).find(({ id }) => id === 'model');
    if (option?.type !== 'select') return 0;
    const current = option.currentValue;
    for (const { value, name } of valuesOf(option.options))
      print(`${value === current ? '*' : ' '} ${value}${name === value ? '' : `  ${name}`}`);
    tell(reasonFor(current, settings, env));
    return 0;
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

type Values = readonly { readonly value: string; readonly name: string }[];

function valuesOf(options: Values | readonly { readonly options: Values }[]): Values {
  return options.flatMap((each) => ('value' in each ? [each] : [...each.options]));
}

function reasonFor(current: string, { model, modelFrom }: Settings, env: Environment): string {
  if (model !== undefined) return `${current} is chosen by ${modelFrom}.`;
  if (current === offlineId) return `${howToAddOne.replace(', log in,', ', run "turnwire coder login",')}`;
  const provider = providers.find(({ id }) => current.startsWith(`${id}/`));
  const variable = provider && firstSet(env, provider.keyVariables)?.name;
  return `Nobody chose a model; ${current} is the first there is a key for: ${variable === undefined ? 'the one stored at login' : variable}.`;
}
