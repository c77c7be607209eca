import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ProviderAccess } from './provider.ts';

/** A model with the format of OpenAI's Chat Completions, which most other providers share. */
export function openaiCompatibleModel(
  { provider, baseUrl, apiKey, headers }: ProviderAccess,
  model: string,
): LanguageModelV3 {
  return createOpenAICompatible({
    name: provider.id,
    baseURL: baseUrl,
    headers,
    includeUsage: true,
    ...(apiKey !== undefined && { apiKey }),
  })(model);
}
