import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { MakeModel, ProviderAccess, ProviderFormat } from './provider.ts';

/** Creates a model in a provider's format, importing only the package of that format. */
export async function makeModel(access: ProviderAccess, model: string): Promise<LanguageModelV3> {
  // The packages would print warnings to stdout, which belongs to the protocol.
  (globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false;
  const make = await load[access.provider.format]();
  return make(access, model);
}

const load: Readonly<Record<ProviderFormat, () => Promise<MakeModel>>> = {
  anthropic: async () => (await import('./anthropic.ts')).anthropicModel,
  openai: async () => (await import('./openai.ts')).openaiModel,
  google: async () => (await import('./google.ts')).googleModel,
  'openai-compatible': async () => (await import('./openai-compatible.ts')).openaiCompatibleModel,
};
