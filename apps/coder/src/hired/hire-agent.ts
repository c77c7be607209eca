import type { UnsentFeedback } from '@turnwire/client';
import type { SessionUpdate, StopReason, ToolCallUpdate, UsageUpdate } from '@turnwire/protocol';
import type { ToolReport } from '@turnwire/agent';
import { after } from '@turnwire/machine/waits';
import { modeOf } from '../modes/modes.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { Spent } from '../session/session-usage.ts';
import { ToolError } from '../tool-error.ts';
import { HiredPermission, type RanUnasked } from './hired-permission.ts';
import type { HireableAgents, HiredAgent } from '../config/hireable-agents.ts';
import { ShownCalls } from './shown-calls.ts';

/** A task for another agent. */
export interface HiredTask {
  readonly agents: HireableAgents;
  readonly name: string;
  readonly title: string;
  readonly task: string;
  /** The call of the model that hires the agent. */
  readonly report: ToolReport;
  /** The limits of the turn, for which the use of the agent counts. */
  readonly limits: {
    spend(spent: Spent): void;
    readonly reachedInStep: string | undefined;
    /** In milliseconds. */
    readonly timeLeft: number;
  };
}

/** The end of a task. */
export interface HiredEnd {
  readonly reason: StopReason;
  /** The text of the agent after its last tool call: its last 16,384 UTF-16 units. */
  readonly text: string;
}

/**
 * Has another agent do a task: starts it in the folder of the session, sends the task as its only prompt, and ends it. It works under the
 * rules, the mode and the limits of this session. Rejects with ToolError if it cannot be started, or breaks a rule.
 */
export async function hireAgent(turn: CoderTurn, hiring: HiredTask): Promise<HiredEnd> {
  const { name, title, task, report } = hiring;
  let end: HiredEnd | undefined;
  const work = async (child: CoderTurn, parent?: string): Promise<StopReason> => {
    end = await new HiredWork(child, hiring, parent).run();
    return end.reason;
  };
  const inSession = turn.delegate?.({ title, message: task, kind: name }, (child) => work(child));
  const reason = inSession ? (await inSession).stopReason : await work(turn, report.state.toolCallId);
  return { reason, text: end?.text ?? '' };
}

const longestText = 16 * 1024;

/** The work of a hired agent on its task. */
class HiredWork {
  readonly #turn: CoderTurn;
  readonly #hiring: HiredTask;
  readonly #isInSession: boolean;
  readonly #calls: ShownCalls;
  readonly #permission: HiredPermission;
  readonly #stop = new AbortController();
  readonly #unsent = new Set<string>();
  #text = '';
  #cost = 0;
  #failure: Error | undefined;

  /** @param parent the call that the work is shown below; undefined if the turn is that of the agent's own session */
  constructor(turn: CoderTurn, hiring: HiredTask, parent: string | undefined) {
    this.#turn = turn;
    this.#hiring = hiring;
    this.#isInSession = parent === undefined;
    this.#calls = new ShownCalls(turn, parent);
    this.#permission = new HiredPermission(turn, hiring.name, this.#calls);
  }

  async run(): Promise<HiredEnd> {
    const { name, agents, limits } = this.#hiring;
    const { cwd } = this.#turn.session.memory.workspace;
    const signal = AbortSignal.any([this.#turn.signal, this.#stop.signal]);
    // Also an agent that sends nothing ends in time.
    const timer = after(limits.timeLeft, () => this.#stop.abort());
    try {
      // The agent works in the folder of the session. To give it another place, make that here, and merge the changes after the prompt.
      const hired = await agents.start(name, {
        ...{ cwd, signal },
        permission: (request, context) => this.#permission.decide(request, context),
      });
      await using agent = hired.agent;
      const reason = await this.#prompt({ ...hired, agent }, cwd, signal);
      return { reason, text: this.#text.trim() };
    } catch (error) {
      this.#turn.signal.throwIfAborted();
      if (this.#stop.signal.aborted && !this.#failure) return { reason: 'max_turn_requests', text: this.#text.trim() };
      throw this.#failure ?? asToolError(error, name);
    } finally {
      clearTimeout(timer);
    }
  }

  async #prompt({ agent, asking }: HiredAgent, cwd: string, signal: AbortSignal): Promise<StopReason> {
    const { task } = this.#hiring;
    this.#requireAsking(asking);
    const { roots } = this.#turn.session.memory.workspace;
    const canHaveMore = Boolean(agent.capabilities.sessionCapabilities?.additionalDirectories);
    const session = await agent.newSession({
      ...{ cwd, signal },
      ...(canHaveMore && { additionalDirectories: roots.slice(1) }),
      onUpdate: (update) => this.#receive(update),
      onFeedback: (feedback) => void this.#unsent.add(feedbackText(feedback)),
    });
    if (asking?.by === 'mode') await session.modes?.set(asking.modeId);
    const cancel = (): void => void session.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    // A text that the agent does not read in its answer is another prompt; the set grows with later rejections.
    let prompt = task;
    const texts = this.#unsent.values();
    while (!signal.aborted) {
      const result = await session.prompt(prompt).result;
      this.#countTokens(result);
      if (this.#failure) throw this.#failure;
      if (signal.aborted) break;
      const next = texts.next();
      if (next.done) return result.stopReason;
      prompt = next.value;
    }
    return this.#stop.signal.aborted ? 'max_turn_requests' : 'cancelled';
  }

  /** An agent that never asks cannot be held to rules. */
  #requireAsking(asking: HiredAgent['asking']): void {
    const { session } = this.#turn;
    const { permissions } = session.memory;
    const isFree = modeOf(session) === 'code' && !permissions.restrict;
    if (asking?.by === 'nothing' && !isFree)
      throw new ToolError(
        `The agent ${this.#hiring.name} never asks for permission, so it can be hired only in mode code and without rules that deny or ask.`,
      );
  }

  #receive(update: SessionUpdate): Promise<void> | undefined {
    const turn = this.#turn;
    this.#stopAtLimit();
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type === 'text') this.#text = (this.#text + update.content.text).slice(-longestText);
        return this.#isInSession ? turn.say(update.content) : undefined;
      case 'agent_thought_chunk':
        return this.#isInSession ? turn.think(update.content) : undefined;
      case 'plan':
        return this.#isInSession ? turn.plan(update.entries) : undefined;
      case 'usage_update':
        return this.#countCost(update);
      case 'tool_call':
      case 'tool_call_update': {
        if (update.sessionUpdate === 'tool_call') this.#text = '';
        const { sessionUpdate: _, ...call } = update;
        return this.#showCall(call);
      }
      default:
        return undefined;
    }
  }

  #showCall(call: ToolCallUpdate): undefined {
    const { state } = this.#calls.show(call);
    if (state.status === 'completed') this.#judge({ ...state, toolCallId: call.toolCallId });
  }

  #stopAtLimit(): void {
    if (this.#hiring.limits.reachedInStep !== undefined) this.#stop.abort();
  }

  #judge(call: ToolReport['state']): void {
    try {
      this.#permission.completed(call);
    } catch (error) {
      this.#failure = new ToolError((error as RanUnasked).message);
      this.#stop.abort();
    }
  }

  /** Counts what the agent says its session has cost so far. */
  #countCost({ cost, ...update }: UsageUpdate): Promise<void> | undefined {
    if (cost?.currency === 'USD' && cost.amount > this.#cost) {
      const more = cost.amount - this.#cost;
      this.#cost = cost.amount;
      this.#count({ ...nothing, cost: more });
    }
    return this.#isInSession ? this.#turn.usage({ ...update, ...(cost && { cost }) }) : undefined;
  }

  /** Counts the tokens of a prompt, which not every agent reports. */
  #countTokens(result: object): void {
    const { usage } = result as { readonly usage?: Readonly<Record<string, unknown>> | null };
    if (!usage) return;
    const of = (key: string): number => (typeof usage[key] === 'number' ? usage[key] : 0);
    const [cacheRead, cacheWrite] = [of('cachedReadTokens'), of('cachedWriteTokens')];
    this.#count({
      ...{ cacheRead, cacheWrite, output: of('outputTokens') },
      input: of('inputTokens') + cacheRead + cacheWrite,
      cost: undefined,
    });
  }

  #count(spent: Spent): void {
    const { limits, name } = this.#hiring;
    limits.spend(spent);
    const { session } = this.#turn;
    session.memory.usage.add({ id: `agent/${name}` }, spent, (value) => session.keep(value));
    this.#stopAtLimit();
  }
}

const nothing: Spent = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, cost: undefined };

function feedbackText({ text, title }: UnsentFeedback): string {
  return `${title === undefined ? 'A tool call' : `The call “${title}”`} was rejected: ${text}`;
}

function asToolError(error: unknown, name: string): Error {
  if (error instanceof ToolError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ToolError(`The agent ${name} could not do it: ${reason}`);
}
