import { type MethodRow, methods } from '@turnwire/protocol';
import { unstableChecks, unstableMethods } from '@turnwire/protocol/unstable';
import type { Frame } from '../frame.ts';
import { type Rule, rule, type RuleContext } from '../rule.ts';

const rows: Readonly<Record<string, MethodRow>> = unstableMethods;

/** The unstable schema entry of a message; undefined for stable and unknown methods, and for messages that only the other side may send. */
function rowOf({ method, kind, from }: Frame): MethodRow | undefined {
  const row = Object.hasOwn(methods, method) || !Object.hasOwn(rows, method) ? undefined : rows[method];
  return row === undefined || (from === row.side) === (kind === 'answer') ? row : undefined;
}

/** Unstable messages match the unstable schema, and are used only where they are offered. Judged only if that profile was selected. */
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

/** Updates that only the unstable schema has, and the client capability for each. */
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
  const fault = isOffered === false && `${kind} was sent, but the client does not offer ${capability}`;
  if (isOffered !== undefined) context.check('R394', fault, frame);
}

function fits(frame: Frame, definition: string, { check }: RuleContext): void {
  const isSound = (unstableChecks as Readonly<Record<string, (value: unknown) => boolean>>)[definition];
  const what = frame.kind === 'answer' ? 'the answer' : 'the message';
  const fault = `${frame.method}: ${what} does not match ${definition} of the unstable schema`;
  check('R371', isSound?.(frame.value) === false && fault, frame);
}

function judgeOffer(frame: Frame, { capability = [] }: MethodRow, { judged, facts, held, broken }: RuleContext): void {
  const paths = [capability].flat();
  if (judged !== 'client' || paths.length === 0 || !facts.isAgentKnown) return;
  if (paths.some((path) => facts.agentOffers(path) === true)) return held('R372');
  broken('R372', `${frame.method} was used, but the agent does not offer ${paths.join(' or ')}`, frame);
}
