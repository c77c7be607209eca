import type { RequirementId, Subject } from '../../requirements/requirement.ts';
import { asMessage } from '../../wire/messages.ts';
import type { Definition } from '../definition-of.ts';
import type { Facts } from '../facts.ts';
import type { Frame } from '../frame.ts';
import { listener, type Rule, type RuleContext } from '../rule.ts';

/** Something that may be done only if the other side offers it. */
interface Gate {
  readonly judges: Subject;
  /** The capability: `a.b` of the other side. */
  readonly capability: string;
  readonly requirement: RequirementId;
  readonly what: string;
  readonly isUsedBy: (frame: Frame) => boolean;
}

const method =
  (prefix: string) =>
  ({ kind, method: name }: Frame): boolean =>
    (kind === 'request' || kind === 'notification') &&
    (name === prefix || (prefix.endsWith('/') && name.startsWith(prefix)));

const update =
  (...kinds: readonly string[]) =>
  (frame: Frame): boolean =>
    kinds.includes(String(frame.update?.sessionUpdate));

const part =
  (type: Definition, fits: (value: { readonly [key: string]: unknown }) => boolean) =>
  (frame: Frame): boolean =>
    frame.partsOf(type).some(fits);

const promptBlock =
  (...types: readonly string[]) =>
  (frame: Frame): boolean =>
    frame.kind === 'request' &&
    frame.method === 'session/prompt' &&
    Array.isArray(frame.params['prompt']) &&
    frame.params['prompt'].some((block) => types.includes(String(asMessage(block)?.['type'])));

const elicitation =
  (mode: string) =>
  (frame: Frame): boolean =>
    frame.kind === 'request' && frame.method === 'elicitation/create' && frame.params['mode'] === mode;

type Use = readonly [what: string, isUsedBy: Gate['isUsedBy']];

const gateOf =
  (judges: Subject) =>
  (requirement: RequirementId, capability: string, [what, isUsedBy]: Use): Gate => ({
    judges,
    capability,
    requirement,
    what,
    isUsedBy,
  });

const [ofAgents, ofClients] = [gateOf('agent'), gateOf('client')];

const named = (name: string): Use => [name, method(name)];

const gates: readonly Gate[] = [
  ofAgents('R206', 'fs.readTextFile', named('fs/read_text_file')),
  ofAgents('R206', 'fs.writeTextFile', named('fs/write_text_file')),
  ofAgents('R216', 'terminal', ['a terminal', method('terminal/')]),
  ofAgents('R287', 'elicitation.form', ['a form', elicitation('form')]),
  ofAgents('R287', 'elicitation.url', ['a URL to open', elicitation('url')]),
  ofAgents('R315', 'session.notices', ['a notice', update('notice')]),
  ofAgents('R319', 'session.compaction', ['compaction', update('compaction_update', 'compaction_summary_chunk')]),
  ofAgents('R247', 'plan', ['a plan with an id', update('plan_update', 'plan_removed')]),
  ofAgents('R261', 'session.configOptions.boolean', [
    'a boolean option',
    part('SessionConfigOption', ({ type }) => type === 'boolean'),
  ]),
  ofAgents('R061', 'auth.terminal', ['a terminal login', part('AuthMethod', ({ type }) => type === 'terminal')]),
  ofClients('R070', 'auth.logout', named('logout')),
  ofClients('R083', 'loadSession', named('session/load')),
  ofClients('R090', 'sessionCapabilities.resume', named('session/resume')),
  ofClients('R093', 'sessionCapabilities.close', named('session/close')),
  ofClients('R115', 'sessionCapabilities.list', named('session/list')),
  ofClients('R130', 'sessionCapabilities.delete', named('session/delete')),
  ofClients('R096', 'sessionCapabilities.additionalDirectories', ['additionalDirectories', hasRoots]),
  ofClients('R108', 'mcpCapabilities.http', [
    'an MCP server over HTTP',
    part('McpServer', ({ type }) => type === 'http'),
  ]),
  ofClients('R108', 'mcpCapabilities.sse', ['an MCP server over SSE', part('McpServer', ({ type }) => type === 'sse')]),
  ofClients('R135', 'promptCapabilities.image', ['an image', promptBlock('image')]),
  ofClients('R135', 'promptCapabilities.audio', ['audio', promptBlock('audio')]),
  ofClients('R135', 'promptCapabilities.embeddedContext', ['an embedded resource', promptBlock('resource')]),
];

function hasRoots({ kind, method: name, params }: Frame): boolean {
  const roots = params['additionalDirectories'];
  return kind === 'request' && /^session\/(?:new|load|resume)$/.test(name) && Array.isArray(roots) && roots.length > 0;
}

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
        for (const gate of own) if (gate.isUsedBy(frame)) judge(gate, frame, context);
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
  if (isOffered) return requirements.forEach(held);
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
