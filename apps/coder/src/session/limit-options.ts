import type { SessionConfigOption } from '@turnwire/protocol';
import type { LimitSettings } from '../config/setting-groups.ts';

/** The limits of a turn. Infinity: no limit. */
export interface Limits {
  /** Model calls. */
  readonly steps: number;
  /** Tokens of all answers. */
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
  /** Minutes. */
  readonly minutes: number;
}

export type LimitName = keyof Limits;

interface LimitOption {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly setting: keyof LimitSettings;
  /** The defaults. */
  readonly otherwise: number;
  readonly values: readonly number[];
  readonly word: (value: number) => string;
}

const none = 'none';

/** The options that limit turns, by limit. */
export const limitOptions: Readonly<Record<LimitName, LimitOption>> = {
  steps: {
    id: 'max_steps',
    name: 'Steps per turn',
    description: 'Model calls after which a turn ends',
    setting: 'maxSteps',
    otherwise: 100,
    values: [10, 25, 50, 100, 200, 500],
    word: (value) => (value === 1 ? 'one step' : `${value} steps`),
  },
  tokens: {
    id: 'max_tokens',
    name: 'Tokens per turn',
    description: 'Tokens the model may write in a turn',
    setting: 'maxTokens',
    otherwise: Infinity,
    values: [10_000, 50_000, 100_000, 500_000],
    word: (value) => `${readableCount(value)} tokens`,
  },
  cost: {
    id: 'max_cost',
    name: 'Cost per turn',
    description: 'What a turn may cost, if the price of the model is known',
    setting: 'maxCost',
    otherwise: Infinity,
    values: [0.5, 1, 2, 5, 10, 20],
    word: (value) => `$${value.toFixed(2)}`,
  },
  minutes: {
    id: 'max_minutes',
    name: 'Time per turn',
    description: 'How long a turn may last; a running step is finished first',
    setting: 'maxMinutes',
    otherwise: Infinity,
    values: [5, 10, 30, 60, 120],
    word: (value) => (value === 1 ? 'one minute' : `${value} minutes`),
  },
};

/** The options, with the settings as defaults. */
export function limitConfigOptions(settings: LimitSettings): readonly SessionConfigOption[] {
  return Object.values(limitOptions).map(({ id, name, description, setting, otherwise, values, word }) => {
    const chosen = settings[setting] ?? otherwise;
    const offered = [...new Set([...values, chosen])].filter(Number.isFinite).toSorted((one, other) => one - other);
    return {
      type: 'select',
      id,
      name,
      description,
      category: '_limits',
      currentValue: valueOf(chosen),
      options: [
        ...offered.map((value) => ({ value: valueOf(value), name: word(value) })),
        { value: none, name: 'No limit' },
      ],
    };
  });
}

/** The values a session has chosen. */
export function chosenLimits(session: { option(id: string): string | boolean | undefined }): Limits {
  const limit = (name: LimitName): number => {
    const { id, otherwise } = limitOptions[name];
    const value = session.option(id);
    return value === undefined ? otherwise : value === none ? Infinity : Number(value);
  };
  return { steps: limit('steps'), tokens: limit('tokens'), cost: limit('cost'), minutes: limit('minutes') };
}

function valueOf(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : none;
}

/** A number of tokens as people read it: 1,234,567. `toLocaleString` would load its tables of languages, which takes 15 ms. */
export function readableCount(tokens: number): string {
  return String(Math.round(tokens)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
