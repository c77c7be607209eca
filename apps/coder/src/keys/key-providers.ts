/** A model provider that needs a key. */
export interface KeyProvider {
  /** The prefix of its models: `anthropic/…`. */
  readonly id: string;
  /** Its name for users. */
  readonly name: string;
  /** The variables a key may be in, the most important first. */
  readonly variables: readonly string[];
  /** Where users get a key. */
  readonly keysAt: string;
  /** Whether a login at the provider issues a key, as OpenRouter documents it. */
  readonly hasExchange?: true;
}

/** The providers with a login. */
export const keyProviders: readonly KeyProvider[] = [
  {
    id: 'anthropic',
    name: 'Anthropic',
    variables: ['ANTHROPIC_API_KEY'],
    keysAt: 'https://console.anthropic.com/settings/keys',
  },
  { id: 'openai', name: 'OpenAI', variables: ['OPENAI_API_KEY'], keysAt: 'https://platform.openai.com/api-keys' },
  {
    id: 'google',
    name: 'Google',
    variables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    keysAt: 'https://aistudio.google.com/apikey',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    variables: ['OPENROUTER_API_KEY'],
    keysAt: 'https://openrouter.ai/settings/keys',
    hasExchange: true,
  },
];

/** The provider of this name. */
export function keyProvider(id: string): KeyProvider | undefined {
  return keyProviders.find((provider) => provider.id === id);
}
