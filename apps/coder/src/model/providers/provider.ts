import type { ModelSettings } from '../../config/setting-groups.ts';

/** The four formats of model APIs. */
export type ProviderFormat = 'anthropic' | 'openai' | 'google' | 'openai-compatible';

/** A provider of models. */
export interface Provider {
  /** The prefix of its models' ids: `anthropic`. */
  readonly id: string;
  /** Its name for users: `Anthropic`. */
  readonly name: string;
  readonly format: ProviderFormat;
  /** The variables its key may be in, the most important first. */
  readonly keyVariables: readonly string[];
  /** Where users get a key. */
  readonly keysAt?: string | undefined;
  /** Whether it requires a key. Another address may be that of another server, which needs none. */
  readonly needsKey: boolean;
  /** The variables that set its address, the most important first. */
  readonly baseUrlVariables: readonly string[];
  /** Its default address. Undefined: it must be set. */
  readonly baseUrl?: string | undefined;
  /** The suffix of its addresses without a version. */
  readonly version: string;
  /** Whether it runs on this machine and may be queried without configuration. */
  readonly isLocal?: boolean | undefined;
  /** Whether its list of models has their prices. */
  readonly listsPrices?: boolean | undefined;
  /** Models from the settings, offered besides the known ones. */
  readonly models?: readonly ModelSettings[] | undefined;
  /** The default model if there is a key and none is chosen. */
  readonly firstModel?: string | undefined;
}

/** How a provider is called. */
export interface ProviderAccess {
  readonly provider: Provider;
  /** With the version at the end. */
  readonly baseUrl: string;
  /** Whether the address differs from the provider's own. */
  readonly isElsewhere: boolean;
  readonly apiKey: string | undefined;
  /** The variable the key was found in. Undefined if the key is missing, stored or from the settings. */
  readonly keyVariable: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}
