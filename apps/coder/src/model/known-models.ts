import { MODEL_CONFIGS } from 'llm-zoo';
import type { ModelPrice } from '../config/setting-groups.ts';

type Entry = (typeof MODEL_CONFIGS)[string];

/** The facts about a model. */
export interface KnownModel {
  /** The provider's name for it. */
  readonly name: string;
  /** Its name for users. */
  readonly label: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly price: ModelPrice | undefined;
  readonly takes: { readonly image: boolean; readonly audio: boolean; readonly pdf: boolean };
  /** Whether it can think before it answers. */
  readonly thinks: boolean;
  /** Whether thinking can be turned off. */
  readonly canSkipThinking: boolean;
  /** Whether it decides by itself how long to think, given an effort. */
  readonly isAdaptive: boolean;
  /** The efforts it supports, least first. */
  readonly efforts: readonly string[];
  readonly usualEffort: string;
  /** Whether its provider has deprecated it. */
  readonly isOutdated: boolean;
}

/** The known models of a provider, by its names. Outdated ones come last. */
export function knownModels(provider: string): readonly KnownModel[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of Object.values(MODEL_CONFIGS)) {
    const modelName = nameWith(provider, entry);
    if (modelName === undefined || entry.retired) continue;
    groups.set(modelName, [...(groups.get(modelName) ?? []), entry]);
  }
  const models = [...groups].map(([modelName, entries]) => described(modelName, entries));
  return models.toSorted((one, other) => Number(one.isOutdated) - Number(other.isOutdated));
}

/** The facts about one model. A name with a date is looked up without it. */
export function knownModel(provider: string, modelName: string): KnownModel | undefined {
  const models = knownModels(provider);
  const undated = modelName.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  return models.find((model) => model.name === modelName) ?? models.find((model) => model.name === undated);
}

function nameWith(
  provider: string,
  { provider: maker, shortName, openRouterOnly, openrouterFullName }: Entry,
): string | undefined {
  if (provider === 'openrouter') return openrouterFullName;
  return String(maker) === provider && !openRouterOnly ? shortName : undefined;
}

/** A model may be listed several times: with thinking and without, faster, more thorough. */
function described(modelName: string, entries: readonly Entry[]): KnownModel {
  const plain = entries.filter(
    ({ serviceTier, capabilities }) => serviceTier === undefined && !('reasoningMode' in capabilities),
  );
  const [first = entries[0] as Entry] = plain;
  const thinking = plain.find(({ capabilities }) => capabilities.supportsReasoning);
  const { capabilities } = thinking ?? first;
  return {
    name: modelName,
    label: first.label.replace(/ \(thinking\)$/i, ''),
    contextWindow: first.contextWindow,
    maxOutputTokens: first.maxOutputTokens,
    price: priceOf(first),
    takes: {
      image: capabilities.supportsVision,
      audio: capabilities.supportsNativeAudio,
      pdf: capabilities.supportsNativePdf,
    },
    thinks: thinking !== undefined,
    canSkipThinking: plain.some((entry) => !entry.capabilities.supportsReasoning),
    isAdaptive: capabilities.supportsAdaptiveThinking,
    efforts: effortsOf(capabilities),
    usualEffort: capabilities.reasoningEffort,
    isOutdated: entries.every(({ deprecated }) => deprecated === true),
  };
}

const commonEfforts = ['low', 'medium', 'high'];
const furtherEfforts = ['xhigh', 'max'];

function effortsOf(capabilities: Entry['capabilities']): readonly string[] {
  const {
    supportsReasoningEffort,
    supportedReasoningEfforts,
    reasoningEffort,
    maxReasoningEffort = reasoningEffort,
  } = capabilities;
  if (!supportsReasoningEffort) return [];
  if (supportedReasoningEfforts) return supportedReasoningEfforts;
  return [...commonEfforts, ...furtherEfforts.slice(0, furtherEfforts.indexOf(maxReasoningEffort) + 1)];
}

function priceOf({ provider, inputPrice: input, outputPrice: output, capabilities }: Entry): ModelPrice | undefined {
  if (input === 0 && output === 0) return undefined;
  const { supportsPromptCaching, supportsAutoPromptCaching, cacheDiscountFactor } = capabilities;
  if (!supportsPromptCaching && !supportsAutoPromptCaching) return { input, output };
  const cacheRead = rounded(input * cacheDiscountFactor);
  // Only Anthropic charges more for writing to its cache.
  return { input, output, cacheRead, cacheWrite: String(provider) === 'anthropic' ? rounded(input * 1.25) : input };
}

function rounded(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}
