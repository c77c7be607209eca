import { invalidParams } from '@turnwire/protocol';
import type { TurnLimits } from '@turnwire/runtime';
import type { Principal } from '../auth/principal.ts';
import { metaForAgent } from './agent-meta.ts';
import { turnwireMeta } from './turnwire-meta.ts';

/** What a client may give with a prompt, in `_meta.turnwire`. */
export interface PromptMeta {
  /** Makes the prompt one turn, however often it is sent. Up to 200 characters. */
  readonly key?: string;
  readonly limits?: TurnLimits;
  /** For the rules of the turn: of no meaning to the gateway. Only of the owner's clients. */
  readonly rules?: unknown;
  /** It is refused if the agent has lost the session. */
  readonly failsIfLost?: true;
  /** The rest, which is for the agent: `traceparent`, say; and `turnwire.guest` if the prompt is not the owner's. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Reads `_meta` of a prompt. Throws the ProtocolError to answer with if it cannot be used. */
export function promptMeta(
  meta: Readonly<Record<string, unknown>> | null | undefined,
  principal: Principal,
): PromptMeta {
  const { key, limits, rules, ifLost, guest } = turnwireMeta<'session/prompt'>(meta);
  if (key !== undefined && (typeof key !== 'string' || key.length > 200))
    throw invalidParams('_meta.turnwire.key: a text of up to 200 characters');
  if (rules !== undefined && !principal.isOwner)
    throw invalidParams('_meta.turnwire.rules: only clients of the owner may give rules');
  const passed = promptMetaForAgent(meta, principal, guest === true);
  return {
    ...(passed && { meta: passed }),
    ...(key !== undefined && { key }),
    ...(limits !== undefined && { limits: turnLimits(limits) }),
    ...(rules !== undefined && { rules }),
    ...(ifLost === 'fail' && { failsIfLost: true }),
  };
}

/** @param wasGuest the prompt comes from another gateway, which got it from a client that is not the owner's */
function promptMetaForAgent(
  meta: Readonly<Record<string, unknown>> | null | undefined,
  principal: Principal,
  wasGuest: boolean,
): PromptMeta['meta'] {
  const passed = metaForAgent(meta, principal);
  return principal.isOwner && !wasGuest ? passed : { ...passed, turnwire: { guest: true } };
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
