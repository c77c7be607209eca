import { filled } from '../../judge/filled.ts';
import type { RequirementId } from '../../requirements/requirement.ts';
import type { Fault } from '../../verdict/observer.ts';
import { at, quoted, type Reply } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentScenario, AgentScripts, AgentContext } from '../agent-context.ts';
import { loginRequired, textOfError } from '../failed-turn.ts';
import { createdSessionId } from '../session.ts';

/** A scenario without code: requests to send one after the other, and how the agent must answer each. */
export interface AgentSequence extends Omit<AgentScenario, 'run'> {
  /** Capabilities that the agent must advertise; otherwise nothing is observed. */
  readonly offers?: readonly string[];
  readonly asks: readonly SequenceAsk[];
}

interface SequenceAsk {
  readonly ask: string;
  /** `$folder` stands for the folder of the scenario and `$session` for the session that was created last. */
  readonly params?: unknown;
  /** Whether to send it as the first message of a new connection. Default: over one ready connection for the whole sequence. */
  readonly first?: true;
  /** The required answer; a number is an error code. */
  readonly must: 'succeed' | 'be refused' | number | { readonly not: number };
  /** The requirement that another answer breaks. Without it, another answer stops the scenario. */
  readonly because?: RequirementId;
}

/** The scripts for the catalogue entries that are sequences. */
export function sequencesOf(entries: readonly (Omit<AgentScenario, 'run'> | AgentSequence)[]): AgentScripts {
  const sequences = entries.filter((entry): entry is AgentSequence => 'asks' in entry);
  return Object.fromEntries(sequences.map((sequence) => [sequence.id, (context) => runSequence(context, sequence)]));
}

async function runSequence(context: AgentContext, { offers = [], asks }: AgentSequence): Promise<void> {
  let ready: Wire | undefined;
  const wireFor = async (isFirst = false): Promise<Wire> => {
    if (isFirst) return context.open();
    if (ready !== undefined) return ready;
    const agent = await context.ready();
    agent.expectOffered(...offers);
    return (ready = agent.wire);
  };
  const names: Record<string, unknown> = { $folder: context.folder };
  for (const { ask, params, first, must, because } of asks) {
    const sent = filled(params, names);
    const wire = await wireFor(first);
    const reply = await (ask === 'session/new' ? context.starts.start(wire, ask, sent) : wire.ask(ask, sent));
    const fault = faultOf(reply, must);
    const what = fault && `${ask} with ${quoted(sent ?? {})} ${fault}`;
    if (because !== undefined) context.see.check(because, what, reply);
    else if (isPlainSession(ask, params)) createdSessionId(reply, context);
    else if (what) throw new Stopped(reply.error?.code === -32_000 ? loginRequired : what);
    names['$session'] = at(reply.result, 'sessionId') ?? names['$session'];
  }
}

/** Whether the request asks for a session that no agent may refuse. */
function isPlainSession(ask: string, params: unknown): boolean {
  return ask === 'session/new' && JSON.stringify(params) === '{"cwd":"$folder","mcpServers":[]}';
}

function faultOf(reply: Reply, must: SequenceAsk['must']): Fault {
  const { error } = reply;
  if (must === 'succeed') return error !== undefined && `was refused: ${textOfError(reply)}`;
  if (must === 'be refused') return error === undefined && 'was not refused';
  const answer = error === undefined ? 'a result' : `the error ${String(error.code)}`;
  if (typeof must === 'number')
    return error?.code !== must && `was answered with ${answer} instead of the error ${String(must)}`;
  return error?.code === must.not && `was answered with ${answer}`;
}
