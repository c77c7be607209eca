import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ProviderAccess } from './provider.ts';

/** A model with the format of OpenAI's Responses. */
export function openaiModel({ baseUrl, apiKey = 'none', headers }: ProviderAccess, model: string): LanguageModelV3 {
  return createOpenAI({ baseURL: baseUrl, apiKey, headers }).responses(model);
}
