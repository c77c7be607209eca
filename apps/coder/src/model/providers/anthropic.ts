import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ProviderAccess } from './provider.ts';

/** A model with the format of Anthropic's Messages. */
export function anthropicModel({ baseUrl, apiKey = 'none', headers }: ProviderAccess, model: string): LanguageModelV3 {
  return createAnthropic({ baseURL: baseUrl, apiKey, headers })(model);
}
