import { type MethodRow, methods } from '@turnwire/protocol';
import { unstableChecks, unstableMethods } from '@turnwire/protocol/unstable';
import type { Frame } from '../frame.ts';
import { type Rule, rule, type RuleContext } from '../rule.ts';

const rows: Readonly<Record<string, MethodRow>> = unstableMethods;

/** What the unstable schema says of a message; undefined for what is stable, in no edition, or for the other side to send. */
function rowOf({ method, kind, from }: Frame): MethodRow | undefined {
  const row = Object.hasOwn(methods, method) || !Object.hasOwn(rows, method) ? undefined : rows[method];
  return row === undefined || (from === row.side) === (kind === 'answer') ? row : undefined;
}

/** What is unstable fits the unstable schema, and is used only where it is offered. Judged only where the profile is chosen. */
export const unstable: Rule = rule('both', ['R371', 'R372', 'R394'], (frame, context) => {
  const row = rowOf(frame);
  if (row === undefined) return judgeUpdate(frame, context);
  if (frame.kind === 'answer') {
    if (frame.isSuccess && row.result !== undefined) fits(frame, row.result, context);
    return;
  }
  fits(frame, row.params, context);
  judgeOffer(frame, row, context);
});

/** Updates of a kind that only the unstable schema has, and what a client offers that shows them. */
const unstableUpdates = new Map([
  ['plan_update', 'plan'],
  ['plan_removed', 'plan'],
  ['subagent_update', 'subagents'],
]);

function judgeUpdate(frame: Frame, context: RuleContext): void {
  const kind = String(frame.update?.sessionUpdate);
  const capability = unstableUpdates.get(kind);
  if (capability === undefined) return;
  fits(frame, 'SessionNotification', context);
  const isOffered = context.facts.clientOffers(capability);
  const fault = isOffered === false && `${kind} is sent, and the client does not offer ${capability}`;
  if (isOffered !== undefined) context.check('R394', fault, frame);
}

function fits(frame: Frame, definition: string, { check }: RuleContext): void {
  const isSound = (unstableChecks as Readonly<Record<string, (value: unknown) => boolean>>)[definition];
  const what = frame.kind === 'answer' ? 'the answer' : 'what is sent';
  const fault = `${frame.method}: ${what} does not fit ${definition} of the unstable schema`;
  check('R371', isSound?.(frame.value) === false && fault, frame);
}

function judgeOffer(frame: Frame, { capability = [] }: MethodRow, { judged, facts, held, broken }: RuleContext): void {
  const paths = [capability].flat();
  if (judged !== 'client' || paths.length === 0 || !facts.isAgentKnown) return;
  if (paths.some((path) => facts.agentOffers(path) === true)) return held('R372');
  broken('R372', `${frame.method} is used, and the agent does not offer ${paths.join(' or ')}`, frame);
}
