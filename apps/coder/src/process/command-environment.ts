import type { CommandRequest } from '@turnwire/agent';
import type { Settings } from '../config/settings.ts';
import { providersWith } from '../model/providers/providers.ts';

/** The settings for commands. By default they inherit no keys. */
export type CommandSettings = Partial<Pick<Settings, 'passKeysToCommands' | 'providers'>>;

/**
 * The changes to a command's environment: no program waits for keyboard input, and the keys of model
 * providers are removed, unless the user wants them passed on. A command that prints its environment would show them
 * to the model, and a command of a project could steal them.
 */
export function commandEnvironment(settings: CommandSettings = {}): NonNullable<CommandRequest['env']> {
  const pagers = { PAGER: 'cat', GIT_PAGER: 'cat' };
  if (settings.passKeysToCommands) return pagers;
  const names = providersWith(settings.providers ?? {}).flatMap(({ keyVariables }) => keyVariables);
  const present = names.filter((name) => process.env[name] !== undefined);
  return { ...pagers, ...Object.fromEntries(present.map((name) => [name, undefined])) };
}
