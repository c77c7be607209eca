import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ProviderAccess } from './provider.ts';

/** A model with the format of Gemini. */
export function googleModel({ baseUrl, apiKey = 'none', headers }: ProviderAccess, model: string): LanguageModelV3 {
  return createGoogleGenerativeAI({ baseURL: baseUrl, apiKey, headers })(model);
}
