import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { KnownModel } from './known-models.ts';
import type { Provider } from './providers/provider.ts';

/** A thought level of a model. */
export interface ThoughtLevel {
  readonly value: string;
  /** Its name for users. */
  readonly name: string;
  /** The provider options of calls. */
  readonly options: SharedV3ProviderOptions;
}

/** The levels, least first, and the default. */
export interface ThoughtLevels {
  readonly levels: readonly ThoughtLevel[];
  readonly usual: string;
}

const names: Readonly<Record<string, string>> = {
  off: 'Off',
  none: 'Off',
  minimal: 'Minimal',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Extra high',
  max: 'Maximum',
};

/** The thought levels of a model. Undefined if the level cannot be chosen, or is unknown. */
export function thoughtLevels({ id, format }: Provider, model: KnownModel | undefined): ThoughtLevels | undefined {
  if (!model?.thinks) return undefined;
  const levels = makers[format](model, id);
  const usual = usualOf(model, levels);
  return usual === undefined ? undefined : { levels, usual };
}

type Maker = (model: KnownModel, provider: string) => readonly ThoughtLevel[];

const makers: Readonly<Record<Provider['format'], Maker>> = {
  anthropic: anthropicLevels,
  openai: openaiLevels,
  google: googleLevels,
  'openai-compatible': compatibleLevels,
};

function anthropicLevels({ isAdaptive, efforts, canSkipThinking }: KnownModel): readonly ThoughtLevel[] {
  const off = canSkipThinking ? [level('off', { anthropic: { thinking: { type: 'disabled' } } })] : [];
  const thinking = isAdaptive
    ? efforts.map((effort) =>
        level(effort, { anthropic: { thinking: { type: 'adaptive', display: 'summarized' }, effort } }),
      )
    : Object.entries({ low: 4_096, medium: 12_288, high: 31_744 }).map(([value, budgetTokens]) =>
        level(value, { anthropic: { thinking: { type: 'enabled', budgetTokens } } }),
      );
  return [...off, ...thinking];
}

function openaiLevels({ name: modelName, efforts }: KnownModel): readonly ThoughtLevel[] {
  // Pro models have no adjustable effort.
  if (/-pro\b/.test(modelName)) return [];
  return efforts.map((effort) => level(effort, { openai: { reasoningEffort: effort, reasoningSummary: 'auto' } }));
}

function googleLevels({ name: modelName, efforts }: KnownModel): readonly ThoughtLevel[] {
  const thinking = (config: Readonly<Record<string, string | number>>): SharedV3ProviderOptions => ({
    google: { thinkingConfig: { ...config, includeThoughts: true } },
  });
  if (!modelName.startsWith('gemini-2'))
    return efforts
      .filter((effort) => effort in names)
      .map((effort) => level(effort, thinking({ thinkingLevel: effort })));
  const off = modelName.includes('flash') ? [level('off', { google: { thinkingConfig: { thinkingBudget: 0 } } })] : [];
  const budgets = Object.entries({ low: 2_048, medium: 8_192, high: 24_576 });
  return [...off, ...budgets.map(([value, thinkingBudget]) => level(value, thinking({ thinkingBudget })))];
}

const takeEffort: ReadonlySet<string> = new Set(['openrouter', 'xai']);

/** Few OpenAI-compatible servers share a name for it. */
function compatibleLevels({ efforts }: KnownModel, provider: string): readonly ThoughtLevel[] {
  return takeEffort.has(provider)
    ? efforts.map((effort) => level(effort, { [provider]: { reasoningEffort: effort } }))
    : [];
}

function level(value: string, options: SharedV3ProviderOptions): ThoughtLevel {
  return { value, name: names[value] ?? value, options };
}

function usualOf({ usualEffort }: KnownModel, levels: readonly ThoughtLevel[]): string | undefined {
  const wanted = [usualEffort, 'medium', 'high'].filter(
    (value) => value !== 'none' && value !== 'max' && value !== 'xhigh',
  );
  return wanted.find((value) => levels.some((each) => each.value === value)) ?? levels[0]?.value;
}
