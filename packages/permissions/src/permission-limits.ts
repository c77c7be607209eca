import { type AgentCapabilities, type TurnwireMeta, turnwireMeta } from '@turnwire/protocol';
import type { Allowing, GivenRule, PermissionLimits, PermissionMode, RuleEffect } from './permissions.ts';

/**
 * `_meta` of a prompt with the agent's limits: for `AgentOptions.promptMeta`. Undefined without limits, or if the agent does not support
 * them. Agents announce their support with `{"turnwire": {"permissionLimits": true}}` in `_meta` of their capabilities.
 */
export function limitsMeta(
  { _meta }: AgentCapabilities,
  limits: PermissionLimits | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const { permissionLimits: isSupported } = turnwireMeta<'agent capabilities'>(_meta);
  if (limits === undefined || isSupported !== true) return undefined;
  return { turnwire: { permissionLimits: limits } satisfies TurnwireMeta['session/prompt'] };
}

/** The limits of an agent in `_meta` of a prompt. Invalid limits allow nothing at all. */
export function limitsOf(meta: Readonly<Record<string, unknown>>): PermissionLimits | undefined {
  const { permissionLimits: limits } = turnwireMeta<'session/prompt'>(meta);
  if (limits === undefined) return undefined;
  return isLimits(limits) ? limits : { mode: 'plan', rules: [] };
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

const modes: readonly unknown[] = [
  'default',
  'acceptEdits',
  'plan',
  'bypassPermissions',
] satisfies readonly PermissionMode[];
const effects: readonly unknown[] = ['allow', 'ask', 'deny'] satisfies readonly RuleEffect[];
const allowings: readonly unknown[] = ['all', 'given-and-mode', 'given'] satisfies readonly Allowing[];

function isLimits(value: unknown): value is PermissionLimits {
  const [mode, rules, otherwise, allowing] = ['mode', 'rules', 'otherwise', 'allowing'].map((key) =>
    fieldOf(value, key),
  );
  return (
    modes.includes(mode) &&
    Array.isArray(rules) &&
    rules.every(isRule) &&
    (otherwise === undefined || effects.includes(otherwise)) &&
    (allowing === undefined || allowings.includes(allowing))
  );
}

function isRule(value: unknown): value is GivenRule {
  const isText = (key: string): boolean => typeof fieldOf(value, key) === 'string';
  const areTexts = ['message', 'child'].every((key) => fieldOf(value, key) === undefined || isText(key));
  return effects.includes(fieldOf(value, 'effect')) && isText('text') && areTexts;
}
