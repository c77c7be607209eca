import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelSettings } from '../../config/setting-groups.ts';

/** The four ways to talk with a model over HTTP. */
export type ProviderFormat = 'anthropic' | 'openai' | 'google' | 'openai-compatible';

/** Somebody who answers for models. */
export interface Provider {
  /** What its models' ids begin with: `anthropic`. */
  readonly id: string;
  /** For people: `Anthropic`. */
  readonly name: string;
  readonly format: ProviderFormat;
  /** The variables its key may be in, most important first. */
  readonly keyVariables: readonly string[];
  /** Where people get a key. */
  readonly keysAt?: string | undefined;
  /** It answers nobody without a key; unless it was given another address, behind which others may be. */
  readonly needsKey: boolean;
  /** The variables that say where it is, most important first. */
  readonly baseUrlVariables: readonly string[];
  /** Where it is unless something else is said. Undefined: it must be said. */
  readonly baseUrl?: string | undefined;
  /** What its addresses end with when they name no version. */
  readonly version: string;
  /** It runs on this machine, and can be looked for. */
  readonly isLocal?: boolean | undefined;
  /** Models to offer besides those that are known, and what is set of them. */
  readonly models?: readonly ModelSettings[] | undefined;
  /** The model sessions begin with when there is a key and nobody chose. */
  readonly firstModel?: string | undefined;
}

/** How a provider is asked. */
export interface ProviderAccess {
  readonly provider: Provider;
  /** With the version at the end. */
  readonly baseUrl: string;
  /** The address is another than the provider's own. */
  readonly isElsewhere: boolean;
  readonly apiKey: string | undefined;
  /** The variable the key was found in. Undefined: there is no key, or it was stored or set. */
  readonly keyVariable: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes a model of one format. */
export type MakeModel = (access: ProviderAccess, model: string) => LanguageModelV3;
