import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import type { Keep } from '../conversation/conversation.ts';
import type { ChosenModel } from '../model/model.ts';
import type { ModelPrice } from '../config/setting-groups.ts';

/** Tokens and their cost in US dollars. */
export interface Spent {
  /** Tokens models read, including those from a cache. */
  readonly input: number;
  /** Those that were read from a cache, and written to one. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Tokens models wrote. */
  readonly output: number;
  /** Undefined: the model's price is unknown. */
  readonly cost: number | undefined;
}

/** The usage of one answer, as it is stored. */
interface KeptUsage extends Spent {
  readonly type: 'usage';
  readonly model: string;
}

/** The usage of a session, over all its connections. Undone turns count as well. */
export class SessionUsage {
  readonly #byModel = new Map<string, Spent>();
  #answers = 0;

  /** @param kept the stored entries of the session, oldest first */
  constructor(kept: readonly unknown[] = []) {
    for (const value of kept) if (isKeptUsage(value)) this.#count(value);
  }

  /** The number of answers. */
  get answers(): number {
    return this.#answers;
  }

  /** The usage per model, by id. */
  get byModel(): ReadonlyMap<string, Spent> {
    return this.#byModel;
  }

  /** The tokens of all answers. Input includes those of caches. */
  get tokens(): Omit<Spent, 'cost'> {
    return [...this.#byModel.values()].reduce(addTokens, nothing);
  }

  /** US dollars, as far as prices are known. Undefined: no price is known. */
  get cost(): number | undefined {
    return [...this.#byModel.values()].reduce<number | undefined>((sum, { cost }) => addCost(sum, cost), undefined);
  }

  /** Counts an answer. */
  add({ id }: Pick<ChosenModel, 'id'>, spent: Spent, keep: Keep): void {
    const kept: KeptUsage = { type: 'usage', model: id, ...spent };
    this.#count(kept);
    void keep(kept);
  }

  #count({ model, input, cacheRead, cacheWrite, output, cost }: KeptUsage): void {
    this.#answers += 1;
    const before = this.#byModel.get(model) ?? nothing;
    const tokens = addTokens(before, { input, cacheRead, cacheWrite, output });
    this.#byModel.set(model, { ...tokens, cost: addCost(before.cost, cost) });
  }
}

const nothing: Spent = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, cost: undefined };

/** The usage of one answer. Undefined if the provider did not report it. */
export function spentOn({ inputTokens, outputTokens }: LanguageModelV3Usage, price: ModelPrice | undefined): Spent {
  const cacheRead = count(inputTokens.cacheRead);
  const cacheWrite = count(inputTokens.cacheWrite);
  const input = count(inputTokens.total) || count(inputTokens.noCache) + cacheRead + cacheWrite;
  const output = count(outputTokens.total) || count(outputTokens.text) + count(outputTokens.reasoning);
  const tokens = { input, cacheRead, cacheWrite, output };
  return { ...tokens, cost: price && costOf(tokens, price) };
}

function costOf({ input, cacheRead, cacheWrite, output }: Omit<Spent, 'cost'>, price: ModelPrice): number {
  const fresh = Math.max(0, input - cacheRead - cacheWrite);
  const read = cacheRead * (price.cacheRead ?? price.input);
  const written = cacheWrite * (price.cacheWrite ?? price.input);
  return (fresh * price.input + read + written + output * price.output) / 1_000_000;
}

// Some servers report values that are not numbers.
function count(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

function addTokens(one: Omit<Spent, 'cost'>, other: Omit<Spent, 'cost'>): Omit<Spent, 'cost'> {
  return {
    input: one.input + other.input,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    output: one.output + other.output,
  };
}

function addCost(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one + other;
}

function isKeptUsage(value: unknown): value is KeptUsage {
  if (typeof value !== 'object' || value === null) return false;
  const { type, model, input, cacheRead, cacheWrite, output, cost } = value as Record<string, unknown>;
  const counts = [input, cacheRead, cacheWrite, output];
  return (
    type === 'usage' &&
    typeof model === 'string' &&
    counts.every((tokens) => Number.isFinite(tokens)) &&
    (cost === undefined || Number.isFinite(cost))
  );
}
