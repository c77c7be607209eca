import type { HireableAgents } from '@turnwire/coder';

export type { HireableAgents };

/** The settings of the built-in agent that the command line can set. */
export interface CoderFlags {
  readonly model?: string;
  /** The folder for sessions, as an absolute path; false to store none. */
  readonly sessions?: string | false;
  readonly maxSteps?: number;
  readonly maxTokens?: number;
  /** In US dollars. */
  readonly maxCost?: number;
  readonly maxMinutes?: number;
  readonly waitForMcp?: boolean;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
}

/**
 * Serves the built-in agent on stdin and stdout until the client disconnects.
 * @param agents those that it can hire. Default: none
 */
export async function coder(flags: CoderFlags = {}, agents?: HireableAgents): Promise<void> {
  const { serveCoder } = await import('@turnwire/coder');
  await serveCoder({ ...flags, agents }).closed;
}

/** Routes every `fetch` of this process, including those of the built-in agent, through the proxy that the usual variables name. */
export async function fetchThroughProxies(): Promise<void> {
  (await import('@turnwire/coder/proxies')).fetchThroughProxies(process.env);
}

/** Stores the key of a provider. Resolves with the exit code, as the functions below do. */
export async function coderLogin(provider: string | undefined, keyFromStdin: boolean | undefined): Promise<number> {
  return (await import('@turnwire/coder')).logIn({ provider, keyFromStdin });
}

/** Deletes the stored key of a provider, or all keys. */
export async function coderLogout(provider: string | undefined): Promise<number> {
  return (await import('@turnwire/coder')).logOut(provider);
}

/** Lists the available models. */
export async function coderModels(flags: CoderFlags): Promise<number> {
  return (await import('@turnwire/coder')).models(flags);
}

/** The JSON Schema of the built-in agent's settings: of a user, or of a project. */
export async function coderSchema(kind: 'user' | 'project'): Promise<object> {
  return (await import('@turnwire/coder')).settingsSchema(kind);
}
