import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ProviderAccess, ProviderFormat } from './provider.ts';

/** Creates a model of one format. */
type MakeModel = (access: ProviderAccess, model: string) => LanguageModelV3;

/** Creates a model in a provider's format, importing only the package of that format. */
export async function makeModel(access: ProviderAccess, model: string): Promise<LanguageModelV3> {
  // The packages would print warnings to stdout, which belongs to the protocol.
  (globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false;
  const make = await load[access.provider.format]();
  return make(access, model);
}

const load: Readonly<Record<ProviderFormat, () => Promise<MakeModel>>> = {
  anthropic: async () => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return (access, model) => createAnthropic(settingsOf(access))(model);
  },
  // OpenAI's Responses API.
  openai: async () => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return (access, model) => createOpenAI(settingsOf(access)).responses(model);
  },
  google: async () => {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return (access, model) => createGoogleGenerativeAI(settingsOf(access))(model);
  },
  // The format of OpenAI's Chat Completions, which most other providers share.
  'openai-compatible': async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return ({ provider, baseUrl, apiKey, headers }, model) => {
      const key = apiKey !== undefined && { apiKey };
      return createOpenAICompatible({ name: provider.id, baseURL: baseUrl, headers, includeUsage: true, ...key })(
        model,
      );
    };
  },
};

function settingsOf({ baseUrl, apiKey = 'none', headers }: ProviderAccess): {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly headers: Record<string, string>;
} {
  return { baseURL: baseUrl, apiKey, headers: { ...headers } };
}
