import type { SessionConfigOption, SessionConfigSelectOption } from '@turnwire/protocol';
import type { ProviderAccess } from './providers/provider.ts';
import type { KnownModel } from './known-models.ts';
import type { ThoughtLevels } from './thought-levels.ts';

/** A model that is offered. */
export interface OfferedModel {
  /** `provider/model`. */
  readonly id: string;
  readonly label: string;
  readonly known: KnownModel | undefined;
}

/** The offered models of one provider. */
export interface ModelGroup {
  readonly provider: string;
  /** Its name for users. */
  readonly name: string;
  readonly models: readonly OfferedModel[];
}

/** The id of the model that needs no provider. */
export const offlineId = 'offline';

/**
 * The option that selects the model. The current value is always offered.
 * @param silent a configured server that does not list its models
 */
export function modelOption(
  groups: readonly ModelGroup[],
  currentValue: string,
  silent?: ProviderAccess,
): SessionConfigOption {
  return {
    id: 'model',
    name: 'Model',
    description:
      silent && (groups.length === 0 || currentValue === offlineId)
        ? startIt(silent)
        : groups.length > 0
          ? 'The model that answers.'
          : howToAddOne,
    category: 'model',
    type: 'select',
    currentValue,
    options: [...valueOptions(withCurrent(groups, currentValue)), offlineOption],
  };
}

/** How to get a model, in one line. */
const howToAddOne =
  'No model is set up. Set ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or OPENROUTER_API_KEY, log in, or start Ollama; then choose the model here.';

/** Advice about a configured server that does not list its models. */
export function startIt({ provider, baseUrl }: ProviderAccess): string {
  return `The server at ${baseUrl} does not list its models. Start it, or choose one of its models as ${provider.id}/NAME.`;
}

/** The option for how long the model thinks. */
export function thoughtOption({ levels, usual }: ThoughtLevels, wanted: string | undefined): SessionConfigOption {
  return {
    id: 'thought_level',
    name: 'Thinking',
    description: 'How long the model thinks before it answers.',
    category: 'thought_level',
    type: 'select',
    currentValue: levels.find(({ value }) => value === wanted)?.value ?? usual,
    options: levels.map(({ value, name: label }) => ({ value, name: label })),
  };
}

const offlineOption: SessionConfigSelectOption = {
  value: offlineId,
  name: 'Offline (no model configured)',
  description: 'Follows plain instructions; needs no key and no network.',
};

function withCurrent(groups: readonly ModelGroup[], id: string): readonly ModelGroup[] {
  const isThere = id === offlineId || groups.some(({ models }) => models.some((model) => model.id === id));
  if (isThere) return groups;
  const [provider = id] = id.split('/');
  const model = { id, label: id.slice(provider.length + 1), known: undefined };
  const group = groups.find((each) => each.provider === provider);
  if (group === undefined) return [{ provider, name: provider, models: [model] }, ...groups];
  return groups.map((each) => (each === group ? { ...each, models: [model, ...each.models] } : each));
}

/** A flat list, since some clients show no groups. If several providers have a model of the same name, the provider is added. */
function valueOptions(groups: readonly ModelGroup[]): readonly SessionConfigSelectOption[] {
  const labels = groups.flatMap(({ models }) => models.map(({ label }) => label));
  return groups.flatMap(({ name: provider, models }) =>
    models.map(({ id, label, known }) => ({
      value: id,
      name: labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${label} (${provider})`,
      description: known ? `${provider}; ${descriptionOf(known)}` : provider,
    })),
  );
}

function descriptionOf({ contextWindow, price }: KnownModel): string {
  const size = `${contextWindow >= 1e6 ? `${Math.round(contextWindow / 1e5) / 10}M` : `${Math.round(contextWindow / 1e3)}k`} tokens`;
  return price ? `${size}; $${price.input} in, $${price.output} out per million` : size;
}
