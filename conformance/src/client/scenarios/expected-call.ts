import type { RequirementId } from '../../requirements/requirement.ts';
import { asMessage, quoted } from '../../wire/messages.ts';
import type { SimulatedAgent } from '../agent/simulated-agent.ts';
import { type ClientContext, didNot, type Done } from '../client-context.ts';
import { faultOf } from './endings.ts';

/**
 * A call that a client should make, and patterns for its parameters. In a pattern `$any` matches any value, and a list
 * matches a list that contains a match for each of its items.
 */
export interface ExpectedCall {
  /** One of these methods. If none is called, the scenario stops. */
  readonly call: string | readonly string[];
  readonly has?: unknown;
  readonly lacks?: unknown;
  /**
   * A text in the parameters of every relevant call. If no call contains it, the client did not follow the instruction and the scenario
   * stops.
   */
  readonly mentions?: string;
  readonly because: readonly RequirementId[];
  /** Whether a missing call is a fault or allowed. */
  readonly none?: 'is a fault' | 'is fine';
}

/** Judges the calls that some agents received. */
export function judgeCall(
  { see }: ClientContext,
  { end, agents }: Done & { readonly agents: readonly SimulatedAgent[] },
  { call, has = {}, lacks, mentions = '', because, none }: ExpectedCall,
): void {
  const methods = [call].flat();
  const calls = agents.flatMap((agent) => methods.flatMap((method) => agent.calls(method)));
  const meant = calls.filter(({ entry }) => entry.text.includes(mentions));
  const name = methods.join(' or ');
  if (meant.length === 0 && none === undefined) throw didNot(`sent no relevant ${name}`, end);
  const isRight = meant.some(({ params }) => fits(has, params)) || none === 'is fine';
  const isWrong = lacks !== undefined && meant.some(({ params }) => fits(lacks, params));
  const missing = !isRight && `${name} was not sent with ${quoted(has)}`;
  const fault = isWrong ? `${name} was sent with ${quoted(lacks)}` : missing;
  see.check(because, (none === 'is a fault' && faultOf(end)) || fault, meant);
}

function fits(pattern: unknown, value: unknown): boolean {
  if (pattern === '$any') return value !== undefined;
  if (Array.isArray(pattern))
    return Array.isArray(value) && pattern.every((each) => value.some((item) => fits(each, item)));
  const [fields, owner] = [asMessage(pattern), asMessage(value)];
  if (fields === undefined) return pattern === value;
  return owner !== undefined && Object.entries(fields).every(([key, each]) => fits(each, owner[key]));
}
