import { invalidParams } from '@turnwire/protocol';
import type { TurnLimits } from '@turnwire/runtime';
import type { Principal } from '../auth/principal.ts';
import { metaForAgent } from './agent-meta.ts';
import { turnwireMeta } from './turnwire-meta.ts';

/** The `_meta.turnwire` of a prompt. */
export interface PromptMeta {
  /** Deduplicates: prompts with the same key are one turn. Up to 200 characters. */
  readonly key?: string;
  readonly limits?: TurnLimits;
  /** Permission rules for the turn, which the gateway does not interpret. Only clients of the owner may send them. */
  readonly rules?: unknown;
  /** Refuse the prompt if the agent has lost the session. */
  readonly failsIfLost?: true;
  /** The rest, for the agent: `traceparent`, for example, and `turnwire.guest` unless the prompt is the owner's. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Parses the `_meta` of a prompt. Throws the ProtocolError to answer with if it is not valid. */
export function promptMeta(
  meta: Readonly<Record<string, unknown>> | null | undefined,
  principal: Principal,
): PromptMeta {
  const { key, limits, rules, ifLost, guest } = turnwireMeta<'session/prompt'>(meta);
  if (rules !== undefined && !principal.isOwner)
    throw invalidParams('_meta.turnwire.rules: only clients of the owner may give rules');
  const passed = promptMetaForAgent(meta, principal, guest === true);
  return {
    ...(passed && { meta: passed }),
    ...(key !== undefined && { key: promptKey('_meta.turnwire.key', key) }),
    ...(limits !== undefined && { limits: turnLimits(limits) }),
    ...(rules !== undefined && { rules }),
    ...(ifLost === 'fail' && { failsIfLost: true }),
  };
}

/** A key of a prompt, which is stored with it. Throws the ProtocolError to answer with if it cannot be stored. */
export function promptKey(field: string, key: unknown): string {
  if (typeof key === 'string' && key.length <= 200 && !key.includes('\0')) return key;
  throw invalidParams(`${field}: a text of up to 200 characters, without NUL`);
}

/** @param wasGuest the prompt comes from another gateway, whose client is not the owner */
function promptMetaForAgent(
  meta: Readonly<Record<string, unknown>> | null | undefined,
  principal: Principal,
  wasGuest: boolean,
): PromptMeta['meta'] {
  const passed = metaForAgent(meta, principal);
  return principal.isOwner && !wasGuest ? passed : { ...passed, turnwire: { guest: true } };
}

function turnLimits(limits: unknown): TurnLimits {
  if (typeof limits !== 'object' || limits === null) throw invalidParams('_meta.turnwire.limits: an object');
  const { seconds, cost, retries } = limits as Readonly<Record<string, unknown>>;
  return { ...amount('seconds', seconds), ...amount('cost', cost), ...amount('retries', retries) };
}

function amount(name: keyof TurnLimits, value: unknown): TurnLimits {
  if (value === undefined) return {};
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    throw invalidParams(`_meta.turnwire.limits.${name}: a number, not less than 0`);
  return { [name]: value };
}
