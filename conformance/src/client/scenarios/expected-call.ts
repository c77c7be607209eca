import type { RequirementId } from '../../requirements/requirement.ts';
import { asMessage, quoted } from '../../wire/messages.ts';
import type { PlayedAgent } from '../agent/played-agent.ts';
import { type ClientStage, didNot, type Done } from '../client-stage.ts';
import { faultOf } from './endings.ts';

/**
 * A call that a client makes, and what its parameters have, or lack. In what they have, `$any` is whatever is there, and a list one in which
 * each of these is.
 */
export interface ExpectedCall {
  /** One of these methods. That none is called stops the scenario. */
  readonly call: string | readonly string[];
  readonly has?: unknown;
  readonly lacks?: unknown;
  /** A text that the parameters have if the client did as it was told: else the scenario stops. */
  readonly mentions?: string;
  readonly because: readonly RequirementId[];
  /** That none is called is a fault, too, or is none. */
  readonly none?: 'is a fault' | 'is fine';
}

/** Judges what was called of some agents. */
export function judgeCall(
  { see }: ClientStage,
  { end, agents }: Done & { readonly agents: readonly PlayedAgent[] },
  { call, has = {}, lacks, mentions = '', because, none }: ExpectedCall,
): void {
  const methods = [call].flat();
  const calls = agents.flatMap((agent) => methods.flatMap((method) => agent.calls(method)));
  const meant = calls.filter(({ entry }) => entry.text.includes(mentions));
  const name = methods.join(' or ');
  if (meant.length === 0 && none === undefined) throw didNot(`sent no ${name} that shows it`, end);
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
