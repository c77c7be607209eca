import { keyProvider } from '../../keys/key-providers.ts';
import type { ProviderSettings } from '../../config/setting-groups.ts';
import type { Provider } from './provider.ts';

const defaults = { format: 'openai-compatible', version: '/v1' } as const;

/** The built-in providers, in the order they are listed and chosen from. */
export const providers: readonly Provider[] = [
  withKey('anthropic', {
    format: 'anthropic',
    baseUrlVariables: ['ANTHROPIC_BASE_URL'],
    baseUrl: 'https://api.anthropic.com/v1',
    firstModel: 'claude-sonnet-5',
  }),
  withKey('openai', {
    format: 'openai',
    baseUrlVariables: ['OPENAI_BASE_URL'],
    baseUrl: 'https://api.openai.com/v1',
    firstModel: 'gpt-6-sol',
  }),
  withKey('google', {
    format: 'google',
    baseUrlVariables: ['GOOGLE_GENERATIVE_AI_BASE_URL', 'GEMINI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    version: '/v1beta',
    firstModel: 'gemini-3.8-flash',
  }),
  withKey('openrouter', {
    baseUrlVariables: ['OPENROUTER_BASE_URL'],
    baseUrl: 'https://openrouter.ai/api/v1',
    firstModel: 'anthropic/claude-sonnet-5',
    listsPrices: true,
  }),
  hosted('xai', 'xAI', 'https://api.x.ai/v1'),
  hosted('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1'),
  hosted('mistral', 'Mistral', 'https://api.mistral.ai/v1'),
  hosted('groq', 'Groq', 'https://api.groq.com/openai/v1'),
  local('ollama', 'Ollama', {
    baseUrl: 'http://127.0.0.1:11434/v1',
    baseUrlVariables: ['OLLAMA_BASE_URL', 'OLLAMA_HOST'],
  }),
  local('lmstudio', 'LM Studio', {
    baseUrl: 'http://127.0.0.1:1234/v1',
    baseUrlVariables: ['LMSTUDIO_BASE_URL', 'LM_STUDIO_BASE_URL'],
  }),
  local('vllm', 'vLLM', { baseUrlVariables: ['VLLM_BASE_URL'] }),
  local('llamacpp', 'llama.cpp', { baseUrlVariables: ['LLAMACPP_BASE_URL'] }),
  local('openai-compatible', 'OpenAI-compatible server', {
    keyVariables: ['OPENAI_COMPATIBLE_API_KEY', 'OPENAI_API_KEY'],
    baseUrlVariables: ['OPENAI_COMPATIBLE_BASE_URL', 'OPENAI_BASE_URL'],
  }),
];

/** All providers, including those of the user's settings. */
export function providersWith(settings: Readonly<Record<string, ProviderSettings>>): readonly Provider[] {
  const own = Object.keys(settings).filter((id) => !providers.some((provider) => provider.id === id));
  return [...providers, ...own.map((id) => local(id, id, { baseUrlVariables: [] }))].map((provider) => ({
    ...provider,
    models: settings[provider.id]?.models?.map((model) => (typeof model === 'string' ? { name: model } : model)),
  }));
}

type Rest = Partial<Provider> & Pick<Provider, 'baseUrlVariables'>;

function withKey(id: string, rest: Rest): Provider {
  const { name = id, variables = [], keysAt } = keyProvider(id) ?? {};
  return { ...defaults, id, name, keyVariables: variables, keysAt, needsKey: true, ...rest };
}

function hosted(id: string, label: string, baseUrl: string): Provider {
  const prefix = id.toUpperCase();
  const variables = { keyVariables: [`${prefix}_API_KEY`], baseUrlVariables: [`${prefix}_BASE_URL`] };
  return { ...defaults, id, name: label, needsKey: true, baseUrl, ...variables };
}

function local(id: string, label: string, rest: Rest): Provider {
  return {
    ...defaults,
    id,
    name: label,
    needsKey: false,
    isLocal: true,
    keyVariables: [`${id.toUpperCase().replaceAll(/\W/g, '_')}_API_KEY`],
    ...rest,
  };
}
