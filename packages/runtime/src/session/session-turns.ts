import { isDeepStrictEqual } from 'node:util';
import type { UnsentFeedback } from '@turnwire/client';
import { errorText } from '@turnwire/client/error-text';
import { canSteer, steer } from '@turnwire/client/extensions';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import {
  type ContentBlock,
  type EventAuthor,
  type PromptResponse,
  ProtocolError,
  type SessionUpdate,
} from '@turnwire/protocol';
import { afterFailure } from '../agent/endings.ts';
import type { TurnRecorder } from '../review/turn-recorder.ts';
import type { AgentPace } from './agent-pace.ts';
import type { AcceptedPrompt, PromptQueue, SessionPrompt } from './prompt-queue.ts';
import type { SessionAgent } from './session-agent.ts';
import type { SessionBudget } from './session-budget.ts';
import type { RulesInForce } from './rules-in-force.ts';
import { handedOver, notSent } from './session-refusals.ts';
import type { StoredRecord } from './stored-record.ts';
import { sumOfUsage, usageOf } from './turn-usage.ts';
import type { Subscriber } from './subscriber.ts';

/** A prompt that waited when its gateway ended. */
export interface HandedPrompt extends Pick<SessionPrompt, 'content' | 'key' | 'limits' | 'rules' | 'meta'> {
  /** The client that sent it. */
  readonly by: EventAuthor;
}

/** The session of the turns. */
export interface SessionTurnsParts {
  readonly agent: SessionAgent;
  readonly queue: PromptQueue;
  readonly pace: AgentPace;
  readonly rules: RulesInForce;
  readonly record: StoredRecord;
  /** Records what the turns change in the folder. */
  readonly recorder: TurnRecorder | undefined;
  /** Counts and limits the usage of the turns. */
  readonly budget: SessionBudget;
  readonly warn: (title: string) => void;
  readonly onEvent: (event: TranscriptEvent) => void;
  /** Called after a prompt was accepted or answered. */
  readonly onChange: () => void;
}

const cancelled: PromptResponse = { stopReason: 'cancelled' };

/** The prompt with which the agent continues a turn that was paused. */
const continuation = 'Continue where you stopped.';

/** The turns of a session: one runs, the others wait. */
export class SessionTurns {
  readonly queue: PromptQueue;
  readonly budget: SessionBudget;
  /**
   * The number of prompts on their way into the running turn. The next update may be read together with the agent's answer to one of them, which
   * is handled a moment later, so the update has to wait for it.
   */
  joining = 0;
  readonly #parts: SessionTurnsParts;
  #running: AcceptedPrompt | undefined;

  constructor(parts: SessionTurnsParts) {
    this.#parts = parts;
    this.queue = parts.queue;
    this.budget = parts.budget;
  }

  /** Whether a turn runs or waits. */
  get areUnderWay(): boolean {
    return this.queue.size > 0;
  }

  /** Queues a prompt, and starts the agent for it. */
  add(accepted: AcceptedPrompt): void {
    this.queue.add(accepted);
    this.#parts.onChange();
    this.#parts.agent.rouse();
  }

  /** Removes a prompt that was answered. */
  end(accepted: AcceptedPrompt): void {
    this.queue.end(accepted);
    this.#parts.onChange();
  }

  /** Sends the next prompt if the agent is ready for it. */
  next(): void {
    const accepted = this.queue.next;
    if (!accepted || accepted.into || this.#running || this.#parts.agent.state.name !== 'ready') return;
    this.#running = accepted;
    void this.#run(accepted);
  }

  /** Takes the prompts that have not begun, for the process that continues the session. Answers their clients with an error that says so. */
  takeWaiting(): readonly HandedPrompt[] {
    return this.queue.notBegun.flatMap((accepted) => {
      if (accepted.into) return [];
      const { subscriber, content, key, limits, rules, meta } = accepted.prompt;
      this.queue.enter(accepted, 'over');
      accepted.reject(handedOver());
      return [{ by: subscriber.author, content, key, limits, rules, meta }];
    });
  }

  /** Cancels a waiting prompt. Returns false if it runs already, or does not exist. */
  withdraw(turnId: string): boolean {
    const accepted = this.queue.waitingTurn(turnId);
    if (accepted) this.stop(accepted);
    return accepted !== undefined;
  }

  /** Makes a waiting prompt the next one. Returns false if it runs already, or does not exist. */
  advance(turnId: string): boolean {
    const accepted = this.queue.waitingTurn(turnId);
    if (accepted) this.queue.advance(accepted);
    return accepted !== undefined;
  }

  /**
   * Sends a waiting prompt into the running turn, whose answer then is its answer too. Until the agent takes it, it is the next prompt. Resolves
   * with false if it runs already, or the agent does not take it: then it still waits. So does a prompt with other rules or limits than the turn.
   */
  async steer(turnId: string): Promise<boolean> {
    const [accepted, running] = [this.queue.waitingTurn(turnId), this.#running];
    const { agent, sessionId, state } = this.#parts.agent;
    if (!accepted || !running?.sent || state.name !== 'working' || !haveSameRules(accepted, running)) return false;
    if (!canSteer(agent) || sessionId === undefined) return false;
    this.queue.advance(accepted);
    accepted.into = running;
    this.joining++;
    try {
      const onTaken = (): void => this.#join(accepted, running);
      return await steer(agent, { sessionId, prompt: accepted.prompt.content, onTaken });
    } finally {
      this.joining--;
      if (accepted.phase === 'waiting') accepted.into = undefined;
      this.next();
    }
  }

  /** Cancels the prompts of a subscriber; if it has none, the running turn. */
  async cancel(subscriber: Subscriber): Promise<void> {
    const own = this.queue.of(subscriber);
    const waiting = own.filter(({ phase }) => phase === 'waiting');
    for (const { turnId } of waiting) this.withdraw(turnId);
    if (waiting.length === 0 || own.some(({ phase }) => phase === 'begun')) await this.cancelRunning();
  }

  /** Cancels the running turn and waits for its end. Waiting prompts stay. */
  async cancelRunning(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.stop(running);
    await running.answer.catch(() => undefined);
  }

  /** Cancels every prompt, and waits until all are answered. */
  async cancelAll(): Promise<void> {
    for (const { turnId } of this.queue.notBegun) this.withdraw(turnId);
    await this.cancelRunning();
    await this.queue.emptied();
  }

  /** Cancels every prompt at the end of the agent. Resolves when the running turn is over. */
  async agentEnds(): Promise<void> {
    for (const accepted of this.queue.notBegun) this.stop(accepted);
    await this.cancelRunning();
  }

  /** Fails the waiting prompts, because the agent could not be started. They are in the transcript. */
  failWaiting(error: unknown): void {
    for (const accepted of this.queue.notBegun) {
      const { turnId, prompt } = accepted;
      this.queue.enter(accepted, 'begun');
      this.#parts.onEvent({ at: Date.now(), type: 'prompt', turnId, content: prompt.content });
      this.#parts.onEvent({
        at: Date.now(),
        type: 'turn-failed',
        turnId,
        message: errorText(error),
        ...agentError(error),
      });
      accepted.reject(error);
    }
  }

  /** Counts an update of the agent for the running turn. A returned promise delays the next update. */
  updated(update: SessionUpdate): Promise<void> | undefined {
    const running = this.#running;
    if (!running) return undefined;
    running.hasEffect = true;
    this.#parts.recorder?.updated(update);
    return running.isCancelled ? undefined : this.#parts.pace.next();
  }

  /**
   * Records why a call was rejected, for an agent that does not read it in the answer: it is sent as a prompt when the agent has answered, and is
   * part of the running turn. A text is sent once in a turn, since a rule may reject many calls with the same text.
   */
  addFeedback({ text, title }: UnsentFeedback): void {
    const call = title === undefined ? 'A tool call' : `The call “${shortened(title)}”`;
    this.#running?.feedback.add(`${call} was rejected: ${text}`);
  }

  /** Cancels a prompt: its turn, or the turn that took it in; a waiting prompt is never sent. */
  stop(accepted: AcceptedPrompt): void {
    if (accepted.phase === 'begun' && accepted.into) return this.stop(accepted.into);
    if (accepted.isCancelled) return;
    accepted.cancelling.abort();
    const { agent, onEvent } = this.#parts;
    if (accepted.sent) {
      onEvent({ at: Date.now(), type: 'cancel-requested', turnId: accepted.turnId });
      if (agent.state.name === 'working') agent.become({ name: 'cancelling', since: Date.now(), isOverdue: false });
      void accepted.sent.cancel().catch(() => undefined);
      return;
    }
    // Its turn has begun without being sent: `#run` ends it.
    if (accepted === this.#running) return;
    this.queue.enter(accepted, 'over');
    accepted.resolve(cancelled);
  }

  async #run(accepted: AcceptedPrompt): Promise<void> {
    const { agent, onEvent } = this.#parts;
    const { turnId, prompt } = accepted;
    this.queue.enter(accepted, 'begun');
    agent.become({ name: 'working', since: Date.now() });
    onEvent({ at: Date.now(), type: 'prompt', turnId, content: prompt.content });
    agent.endReplay();
    try {
      await this.#prepare(accepted);
      const result = await this.#answered(accepted);
      onEvent({ at: Date.now(), type: 'turn-ended', turnId, ...endOf(result) });
      this.#over(() => agent.become({ name: 'ready' }));
      accepted.resolve(result);
    } catch (error) {
      onEvent({ at: Date.now(), type: 'turn-failed', turnId, message: errorText(error), ...agentError(error) });
      this.#over(() => agent.failed(afterFailure(error, accepted.isCancelled)));
      accepted.reject(error);
    }
    this.next();
  }

  /** Sends a prompt, and then the reasons of rejections that its answers could not contain. */
  async #answered(accepted: AcceptedPrompt): Promise<PromptResponse> {
    this.budget.next(accepted);
    let result = await this.#sendWithin(accepted);
    // The set grows if the next answer of the agent contains a call that is rejected for another reason.
    for (const text of accepted.feedback) {
      if (accepted.isCancelled || accepted.limited.stopped || result.stopReason === 'cancelled') break;
      result = await this.#sendWithin(accepted, text);
    }
    return accepted.usage ? { ...result, ...{ usage: accepted.usage } } : result;
  }

  /**
   * Sends a prompt within the budgets. A turn that is paused at a limit is continued if a user decides so.
   * @param more a text of this side for the running turn, instead of the prompt that began it
   */
  async #sendWithin(accepted: AcceptedPrompt, more?: string): Promise<PromptResponse> {
    const { agent } = this.#parts;
    for (let text = more; ; text = continuation) {
      const refusal = await this.budget.admit(accepted);
      if (refusal !== undefined) return this.#stopped(accepted, cancelled, refusal);
      if (accepted.isCancelled) return cancelled;
      const content = text === undefined ? accepted.prompt.content : this.#joined(accepted, text);
      const sent = (accepted.sent = agent.prompt(content));
      this.budget.begin(() => void sent.cancel().catch(() => undefined));
      let result = cancelled;
      let reached: string | undefined;
      try {
        result = await sent;
        accepted.usage = sumOfUsage(accepted.usage, usageOf(result));
      } finally {
        reached = this.budget.end(result);
      }
      if (reached === undefined || accepted.isCancelled) return result;
      // The agent may have finished before it was paused.
      if (result.stopReason !== 'cancelled') return this.#stopped(accepted, result, reached);
    }
  }

  /** Logs a text of this side as a prompt of the running turn, and returns it for the agent. */
  #joined({ turnId: into }: AcceptedPrompt, text: string): readonly ContentBlock[] {
    const content = [{ type: 'text', text } as const];
    const turnId = `${into}-${crypto.randomUUID().slice(0, 8)}`;
    this.#parts.onEvent({ at: Date.now(), type: 'prompt', turnId, content, into });
    return content;
  }

  /** Says why a turn ends at a limit, also to clients that know only the protocol. */
  #stopped({ limited }: AcceptedPrompt, result: PromptResponse, message: string): PromptResponse {
    limited.stopped ??= { reason: 'budget', message };
    this.#parts.warn(message);
    if (result.stopReason !== 'cancelled') return result;
    return { ...result, _meta: { ...result._meta, turnwire: { stopped: limited.stopped } } };
  }

  /** Applies the rules of a turn before its prompt is sent. */
  async #prepare({ turnId, prompt, decisions, limited, acceptedAt }: AcceptedPrompt): Promise<void> {
    const { agent, rules, record, recorder, warn } = this.#parts;
    if (prompt.failsIfLost && (record.facts.contextLostAt ?? 0) >= acceptedAt) throw notSent();
    const stop = (message: string): void => limited.stop({ reason: 'rules', message });
    rules.begin({ given: prompt.rules, decisions, stop });
    agent.warnIfItNeverAsks();
    await agent.ensureAsking();
    const warning = await recorder?.begin({ id: turnId, agentSessionId: agent.sessionId }, prompt.content);
    if (warning !== undefined) warn(warning);
  }

  #over(then: () => void): void {
    const { agent, rules, recorder } = this.#parts;
    this.#running = undefined;
    rules.current.endTurn(agent.sessionId);
    recorder?.end();
    // The agent may have ended or restarted in the meantime.
    const { name } = agent.state;
    if (name === 'working' || name === 'cancelling') then();
  }

  /** The agent has taken a prompt into the running turn. */
  #join(accepted: AcceptedPrompt, running: AcceptedPrompt): void {
    // The prompt may have been cancelled on its way.
    if (accepted.phase !== 'waiting') return;
    const { turnId, prompt } = accepted;
    this.queue.enter(accepted, 'begun');
    this.#parts.onEvent({ at: Date.now(), type: 'prompt', turnId, content: prompt.content, into: running.turnId });
    running.answer.then(accepted.resolve, accepted.reject);
  }
}

/** Titles of agents may have any length, and several lines. */
function shortened(title: string): string {
  const line = title.trim().replaceAll(/\s+/g, ' ');
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}

function haveSameRules({ prompt: one }: AcceptedPrompt, { prompt: other }: AcceptedPrompt): boolean {
  return isDeepStrictEqual([one.rules, one.limits], [other.rules, other.limits]);
}

/** The agent's answer, for the log. */
function endOf(result: PromptResponse): Pick<TurnEnded, 'stopReason' | 'usage' | 'meta'> {
  const { stopReason, _meta: meta } = result;
  const usage = usageOf(result);
  return { stopReason, ...(usage && { usage }), ...(meta && { meta }) };
}

type TurnEnded = Extract<TranscriptEvent, { readonly type: 'turn-ended' }>;

/** The error that the agent answered with, if it did. */
function agentError(error: unknown): Pick<Extract<TranscriptEvent, { readonly type: 'turn-failed' }>, 'error'> {
  if (!(error instanceof ProtocolError)) return {};
  const { code, message, data } = error;
  return { error: { code, message, ...(data !== undefined && { data }) } };
}
