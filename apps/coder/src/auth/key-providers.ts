/** A provider of models that wants a key. */
export interface KeyProvider {
  /** The name its models begin with: `anthropic/…`. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The variables a key may be in, most important first. */
  readonly variables: readonly string[];
  /** Where people get a key. */
  readonly keysAt: string;
}

/** The providers one can log in to. */
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
  },
];

/** The provider of this name. */
export function keyProvider(id: string): KeyProvider | undefined {
  return keyProviders.find((provider) => provider.id === id);
}
