import type { CommandRequest } from '@turnwire/agent';
import type { Settings } from '../config/settings.ts';
import { providersWith } from '../model/providers/providers.ts';

/** What settings say about commands. Nothing said: they get no keys. */
export type CommandSettings = Partial<Pick<Settings, 'passKeysToCommands' | 'providers'>>;

/**
 * What is different in the environment of a command from this process's: no program waits for keys nobody presses, and the keys this agent
 * pays for its models with stay here, unless the user wants them passed on. A command that prints its environment would show them
 * to the model, and one out of a project could take them.
 */
export function commandEnvironment(settings: CommandSettings = {}): NonNullable<CommandRequest['env']> {
  const pagers = { PAGER: 'cat', GIT_PAGER: 'cat' };
  if (settings.passKeysToCommands) return pagers;
  const names = providersWith(settings.providers ?? {}).flatMap(({ keyVariables }) => keyVariables);
  const present = names.filter((name) => process.env[name] !== undefined);
  return { ...pagers, ...Object.fromEntries(present.map((name) => [name, undefined])) };
}
