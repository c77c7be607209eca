import { filled } from '../../judge/filled.ts';
import type { RequirementId } from '../../requirements/requirement.ts';
import type { Fault } from '../../verdict/observer.ts';
import { at, quoted, type Reply } from '../../wire/messages.ts';
import { Stopped } from '../../wire/stopped.ts';
import type { Wire } from '../../wire/wire.ts';
import type { AgentScenario, AgentScripts, AgentStage } from '../agent-stage.ts';
import { loginFirst, textOfError } from '../failed-turn.ts';
import { begunSession } from '../session.ts';

/** Requests that an agent gets one after the other, and how it must answer each: a scenario without code of its own. */
export interface AgentSequence extends Omit<AgentScenario, 'run'> {
  /** What the agent must advertise: else nothing is seen. */
  readonly offers?: readonly string[];
  readonly asks: readonly SequenceAsk[];
}

interface SequenceAsk {
  readonly ask: string;
  /** In them `$folder` is that of the scenario, and `$session` the session that was begun last. */
  readonly params?: unknown;
  /** Whether it is sent over a connection on which nothing was said. Default: over one that is ready, the same each time. */
  readonly first?: true;
  /** How it must be answered; a number is the code of an error. */
  readonly must: 'succeed' | 'be refused' | number | { readonly not: number };
  /** What is broken by another answer. Without, the scenario stops. */
  readonly because?: RequirementId;
}

/** What runs the entries of a catalogue that are sequences. */
export function sequencesOf(entries: readonly (Omit<AgentScenario, 'run'> | AgentSequence)[]): AgentScripts {
  const sequences = entries.filter((entry): entry is AgentSequence => 'asks' in entry);
  return Object.fromEntries(sequences.map((sequence) => [sequence.id, (stage) => runSequence(stage, sequence)]));
}

async function runSequence(stage: AgentStage, { offers = [], asks }: AgentSequence): Promise<void> {
  let ready: Wire | undefined;
  const wireFor = async (isFirst = false): Promise<Wire> => {
    if (isFirst) return stage.open();
    if (ready !== undefined) return ready;
    const agent = await stage.ready();
    agent.expectOffered(...offers);
    return (ready = agent.wire);
  };
  const names: Record<string, unknown> = { $folder: stage.folder };
  for (const { ask, params, first, must, because } of asks) {
    const sent = filled(params, names);
    const wire = await wireFor(first);
    const reply = await (ask === 'session/new' ? stage.starts.start(wire, ask, sent) : wire.ask(ask, sent));
    const fault = faultOf(reply, must);
    const what = fault && `${ask} with ${quoted(sent ?? {})} ${fault}`;
    if (because !== undefined) stage.see.check(because, what, reply);
    else if (isPlainSession(ask, params)) begunSession(reply, stage);
    else if (what) throw new Stopped(reply.error?.code === -32_000 ? loginFirst : what);
    names['$session'] = at(reply.result, 'sessionId') ?? names['$session'];
  }
}

/** Whether a session is asked for that no agent may refuse. */
function isPlainSession(ask: string, params: unknown): boolean {
  return ask === 'session/new' && JSON.stringify(params) === '{"cwd":"$folder","mcpServers":[]}';
}

function faultOf(reply: Reply, must: SequenceAsk['must']): Fault {
  const { error } = reply;
  if (must === 'succeed') return error !== undefined && `was refused: ${textOfError(reply)}`;
  if (must === 'be refused') return error === undefined && 'was not refused';
  const answer = error === undefined ? 'a result' : `the error ${String(error.code)}`;
  if (typeof must === 'number') return error?.code !== must && `was answered with ${answer}, not with ${String(must)}`;
  return error?.code === must.not && `was answered with ${answer}`;
}
