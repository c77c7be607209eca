import { invalidParams } from '@turnwire/protocol';
import type { TurnLimits } from '../session/turn-limits.ts';
import { turnwireMeta } from './turnwire-meta.ts';

/** What a client may give with a prompt, in `_meta.turnwire`. */
export interface PromptMeta {
  /** Makes the prompt one turn, however often it is sent. Up to 200 characters. */
  readonly key?: string;
  readonly limits?: TurnLimits;
  /** For the rules of the turn: of no meaning to the gateway. Only of clients with the scope `admin`. */
  readonly rules?: unknown;
  /** It is refused if the agent has lost the session. */
  readonly failsIfLost?: true;
  /** The rest, which is the agent's: `traceparent`, say. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Reads `_meta` of a prompt. Throws the ProtocolError to answer with if it cannot be used. */
export function promptMeta(meta: Readonly<Record<string, unknown>> | null | undefined, scope: string): PromptMeta {
  const { key, limits, rules, ifLost } = turnwireMeta(meta);
  if (key !== undefined && (typeof key !== 'string' || key.length > 200))
    throw invalidParams('_meta.turnwire.key: a text of up to 200 characters');
  if (rules !== undefined && scope !== 'admin')
    throw invalidParams('_meta.turnwire.rules: only clients with the scope admin may give rules');
  const { turnwire: _ours, ...rest } = meta ?? {};
  return {
    ...(Object.keys(rest).length > 0 && { meta: rest }),
    ...(key !== undefined && { key }),
    ...(limits !== undefined && { limits: turnLimits(limits) }),
    ...(rules !== undefined && { rules }),
    ...(ifLost === 'fail' && { failsIfLost: true }),
  };
}

function turnLimits(given: unknown): TurnLimits {
  if (typeof given !== 'object' || given === null) throw invalidParams('_meta.turnwire.limits: an object');
  const { seconds, cost, retries } = given as Readonly<Record<string, unknown>>;
  return { ...amount('seconds', seconds), ...amount('cost', cost), ...amount('retries', retries) };
}

function amount(name: keyof TurnLimits, value: unknown): TurnLimits {
  if (value === undefined) return {};
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw invalidParams(`_meta.turnwire.limits.${name}: a number, not less than 0`);
  return { [name]: value };
}
