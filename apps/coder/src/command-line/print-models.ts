import type { CoderOptions } from '../config/coder-options.ts';
import { firstSet } from '../config/environment.ts';
import type { Environment } from '../config/environment.ts';
import { readSettings } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { offlineId } from '../model/model-options.ts';
import { openModels } from '../model/open-models.ts';
import { providersWith } from '../model/providers/providers.ts';
import { print, printToStderr } from '../printing.ts';

/**
 * Prints the models a session in this folder could choose from, one per line, with a mark at the default one; and on
 * stderr why it is the default.
 * @returns the exit code: 0, or 1 if the chosen model does not exist
 */
export async function printModels(options: CoderOptions = {}): Promise<number> {
  const env = options.env ?? process.env;
  const settings = await readSettings({ cwd: process.cwd(), env, options });
  for (const warning of settings.warnings) printToStderr(warning);
  try {
    const models = await openModels({ settings, env, options });
    await models.late;
    const option = models.options({ model: undefined, thoughtLevel: undefined }).find(({ id }) => id === 'model');
    if (option?.type !== 'select') return 0;
    const current = option.currentValue;
    for (const each of option.options) if ('value' in each) print(modelLine(each, current));
    const isNone = current === offlineId && settings.model === undefined;
    printToStderr(isNone ? howToChoose(option.description) : reasonFor(current, settings, env));
    return 0;
  } catch (error) {
    printToStderr(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

function modelLine({ value, name }: { readonly value: string; readonly name: string }, current: string): string {
  return `${value === current ? '*' : ' '} ${value}${name === value ? '' : `  ${name}`}`;
}

function howToChoose(description: string | null | undefined): string {
  return (description ?? '').replace(', log in,', ', run "turnwire coder login",');
}

function reasonFor(current: string, { model, modelFrom, providers: own }: Settings, env: Environment): string {
  if (model !== undefined) return `${current} is set by ${modelFrom}.`;
  const provider = providersWith(own).find(({ id }) => current.startsWith(`${id}/`));
  if (provider?.firstModel === undefined) {
    const source = firstSet(env, provider?.baseUrlVariables ?? [])?.name ?? 'the file of settings';
    return `No model is set; ${current} is the first of the server that ${source} names.`;
  }
  const variable = firstSet(env, provider.keyVariables)?.name ?? 'the one stored at login';
  return `No model is set; ${current} is the first one with a key: ${variable}.`;
}
