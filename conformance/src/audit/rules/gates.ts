import table from './gates.json' with { type: 'json' };
import tableOfVersion2 from './gates-v2.json' with { type: 'json' };
import type { RequirementId, Subject } from '../../requirements/requirement.ts';
import { asMessage, objectsIn } from '../../wire/messages.ts';
import type { Definition } from '../definition-of.ts';
import type { Facts } from '../facts.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, type RuleContext } from '../rule.ts';

/** A feature that may be used only if the other side advertises it. */
interface Gate {
  readonly judges: Subject;
  readonly requirement: RequirementId;
  /** The capability of the other side, as a path such as `a.b`. */
  readonly capability: string;
  /** The feature, for messages to users. */
  readonly what: string;
  /** How a use of the feature is recognised. */
  readonly by: keyof typeof uses;
  /** The methods, updates, types or modes that count as a use. */
  readonly of: readonly string[];
}

const uses = {
  method: ({ kind, method }: Frame, of: readonly string[]): boolean =>
    (kind === 'request' || kind === 'notification') &&
    of.some((name) => name === method || (name.endsWith('/') && method.startsWith(name))),
  update: ({ update }: Frame, of: readonly string[]): boolean => of.includes(String(update?.sessionUpdate)),
  part: (frame: Frame, [definition, type]: readonly string[]): boolean =>
    frame.partsOf(definition as Definition).some((part) => part['type'] === type),
  block: ({ kind, method, params }: Frame, of: readonly string[]): boolean =>
    kind === 'request' &&
    method === 'session/prompt' &&
    objectsIn(params['prompt']).some(({ type }) => of.includes(String(type))),
  elicitation: ({ kind, method, params }: Frame, of: readonly string[]): boolean =>
    kind === 'request' && method === 'elicitation/create' && of.includes(String(params['mode'])),
  roots: ({ kind, method, params: { additionalDirectories: roots } }: Frame): boolean =>
    kind === 'request' && /^session\/(?:new|load|resume)$/.test(method) && Array.isArray(roots) && roots.length > 0,
};

/** The documentation states the rule for content in prompts twice. */
const twins: ReadonlyMap<RequirementId, RequirementId> = new Map([['R135', 'R237']]);

/** A side uses only what the other side advertises. An absent capability counts as unsupported. */
export const offeredOnly: Rule = gateRule(table as readonly Gate[], [...twins.values()]);

/** The same in version 2. */
export const offeredInVersion2: Rule = gateRule(tableOfVersion2 as readonly Gate[]);

function gateRule(gates: readonly Gate[], further: readonly RequirementId[] = []): Rule {
  const named = new Set(gates.map(({ requirement }) => requirement));
  return listener('both', ['R042', 'R050', ...further, ...named], (context) => {
    const own = gates.filter(({ judges }) => judges === context.judged);
    const take = (frame: Frame): void => {
      if (isTurnEnd(frame)) judgeAbstinence(own, context);
    };
    return {
      sent: (frame) => {
        for (const gate of own) if (uses[gate.by](frame, gate.of)) judge(gate, frame, context);
        take(frame);
      },
      received: take,
    };
  });
}

function judge(gate: Gate, frame: Frame, { judged, facts, held, broken }: RuleContext): void {
  const isOffered = offersOf(gate, facts);
  if (isOffered === undefined) return;
  const requirements = [gate.requirement, twins.get(gate.requirement)].filter((each) => each !== undefined);
  if (isOffered) return requirements.forEach((each) => held(each));
  const other = judged === 'agent' ? 'client' : 'agent';
  const message = `${gate.what} was used, but the ${other} does not offer ${gate.capability}`;
  const marker = facts.capability(other, gate.capability);
  for (const requirement of [...requirements, marker === null ? 'R050' : 'R042'] as const)
    broken(requirement, message, frame);
}

function offersOf({ judges, capability }: Gate, facts: Facts): boolean | undefined {
  return judges === 'agent' ? facts.clientOffers(capability) : facts.agentOffers(capability);
}

/** Called after a whole turn: the side used nothing that the other one does not offer. */
function judgeAbstinence(own: readonly Gate[], { judged, facts, held }: RuleContext): void {
  const other = judged === 'agent' ? 'client' : 'agent';
  for (const gate of own) {
    if (offersOf(gate, facts) === false) held('R042');
    if (isMarker(facts.capability(other, gate.capability))) held('R050');
  }
}

function isMarker(value: unknown): boolean {
  return value === null || asMessage(value) !== undefined;
}

function isTurnEnd(frame: Frame): boolean {
  if (frame.update?.['state'] === 'idle') return true;
  return frame.from === 'agent' && frame.method === 'session/prompt' && frame.isSuccess;
}
