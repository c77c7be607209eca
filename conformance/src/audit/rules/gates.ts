import table from './gates.json' with { type: 'json' };
import type { RequirementId, Subject } from '../../requirements/requirement.ts';
import { asMessage, objectsIn } from '../../wire/messages.ts';
import type { Definition } from '../definition-of.ts';
import type { Facts } from '../facts.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, type RuleContext } from '../rule.ts';

/** Something that may be done only if the other side offers it. */
interface Gate {
  readonly judges: Subject;
  readonly requirement: RequirementId;
  /** The capability: `a.b` of the other side. */
  readonly capability: string;
  /** What is done, for people; and by what it is seen. */
  readonly what: string;
  readonly by: keyof typeof uses;
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

const gates = table as readonly Gate[];

/** What content in prompts breaks is said twice in the documentation. */
const twins: ReadonlyMap<RequirementId, RequirementId> = new Map([['R135', 'R237']]);

/** Only what the other side offers is made use of, and what it does not mention it does not offer. */
export const offeredOnly: Rule = listener(
  'both',
  ['R042', 'R050', ...twins.values(), ...new Set(gates.map(({ requirement }) => requirement))],
  (context) => {
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
  },
);

function judge(gate: Gate, frame: Frame, { judged, facts, held, broken }: RuleContext): void {
  const isOffered = offersOf(gate, facts);
  if (isOffered === undefined) return;
  const requirements = [gate.requirement, twins.get(gate.requirement)].filter((each) => each !== undefined);
  if (isOffered) return requirements.forEach((each) => held(each));
  const other = judged === 'agent' ? 'client' : 'agent';
  const message = `${gate.what} is used, and the ${other} does not offer ${gate.capability}`;
  const marker = facts.capability(other, gate.capability);
  for (const requirement of [...requirements, marker === null ? 'R050' : 'R042'] as const)
    broken(requirement, message, frame);
}

function offersOf({ judges, capability }: Gate, facts: Facts): boolean | undefined {
  return judges === 'agent' ? facts.clientOffers(capability) : facts.agentOffers(capability);
}

/** A whole turn with a side that does not offer everything, in which nothing was missing. */
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
  return frame.from === 'agent' && frame.method === 'session/prompt' && frame.isSuccess;
}
