import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { TimeoutSettings } from '../config/setting-groups.ts';
import type { KnownModel } from './known-models.ts';
import type { ChosenModel, ModelProvider } from './model.ts';
import { makeModel } from './providers/make-model.ts';
import type { ProviderAccess } from './providers/provider.ts';
import type { StreamLimits } from './stream-limits.ts';
import type { ThoughtLevel } from './thought-levels.ts';

/** The parts of a choice. */
export interface ChoiceParts {
  readonly known: KnownModel | undefined;
  /** Its size and price, from any source. */
  readonly facts: Pick<ChosenModel, 'contextWindow' | 'price'>;
  readonly thought: ThoughtLevel | undefined;
  readonly timeouts: TimeoutSettings;
  readonly siblings: readonly string[];
}

/** A model of a provider, ready to be called. */
export async function chosenModel(access: ProviderAccess, name: string, parts: ChoiceParts): Promise<ChosenModel> {
  const { known, facts, thought, timeouts, siblings } = parts;
  return {
    id: `${access.provider.id}/${name}`,
    model: await makeModel(access, name),
    providerOptions: providerOptions(access, thought),
    ...facts,
    maxOutputTokens: answerLimit(access, known),
    takes: known?.takes ?? { image: true, audio: false, pdf: false },
    provider: providerOf(access),
    siblings,
    limits: limitsOf(timeouts, thought),
    secrets: [...(access.apiKey === undefined ? [] : [access.apiKey]), ...Object.values(access.headers)],
  };
}

function providerOptions({ provider }: ProviderAccess, thought: ThoughtLevel | undefined): SharedV3ProviderOptions {
  const own = usual[provider.format] ?? {};
  const chosen = thought?.options ?? {};
  const names = new Set([...Object.keys(own), ...Object.keys(chosen)]);
  return Object.fromEntries([...names].map((each) => [each, { ...own[each], ...chosen[each] }]));
}

const usual: Readonly<Record<string, SharedV3ProviderOptions>> = {
  // Cached input costs a tenth when it is read again.
  anthropic: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  // The provider must not store the conversation.
  openai: { openai: { store: false } },
};

// Only Anthropic requires a limit of the answer; unused tokens cost nothing, but must fit in the context.
const longestAnswer = 32_768;

function answerLimit({ provider }: ProviderAccess, known: KnownModel | undefined): number | undefined {
  return provider.format === 'anthropic' ? Math.min(known?.maxOutputTokens ?? longestAnswer, longestAnswer) : undefined;
}

function providerOf({ provider, baseUrl, keyVariable }: ProviderAccess): ModelProvider {
  const { name, keyVariables, keysAt, baseUrlVariables, isLocal = false } = provider;
  const { protocol, host, pathname } = new URL(baseUrl);
  return {
    name,
    keyVariable: keyVariable ?? keyVariables[0],
    keysAt,
    // Without the password that may be in it.
    baseUrl: `${protocol}//${host}${pathname}`,
    baseUrlVariable: baseUrlVariables[0],
    isLocal,
  };
}

/** Some models think for minutes before they answer. */
const slowFirstByte = 600_000;

function limitsOf(
  { firstByteSeconds, idleSeconds, attempts }: TimeoutSettings,
  thought: ThoughtLevel | undefined,
): Partial<StreamLimits> {
  const isSlow = thought?.value === 'xhigh' || thought?.value === 'max';
  const firstByte = firstByteSeconds === undefined ? undefined : firstByteSeconds * 1000;
  return {
    ...((firstByte !== undefined || isSlow) && { firstByte: firstByte ?? slowFirstByte }),
    ...(idleSeconds !== undefined && { idle: idleSeconds * 1000 }),
    ...(attempts !== undefined && { attempts }),
  };
}
