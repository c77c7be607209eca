import { within } from '@turnwire/machine/waits';
import { errorCodes, ProtocolError, TurnwireError } from '@turnwire/protocol';
import type { ContentBlock, PromptResponse, StateUpdate, TurnwireMeta } from '@turnwire/protocol';
import type { SessionPublisher } from '../session/session-publisher.ts';
import type { Session } from '../session/session.ts';
import type { LocalMachine } from '../turn/local-machine.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import type { ChildTask, PromptEnd, Turn } from '../turn/turn.ts';

/** Sessions that may work at the same time. */
const most = 64;

/** The session that starts others. */
export interface ParentSession<Memory> {
  readonly session: Session<Memory>;
  readonly publisher: SessionPublisher;
  readonly machine: LocalMachine | undefined;
}

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<unknown>;
}

/** The sessions that a session starts for parts of its work. A client can watch and cancel each, and nothing else. */
export class ChildSessions<Memory> {
  readonly #parent: ParentSession<Memory>;
  readonly #ids: Set<string>;
  readonly #running = new Map<string, Running>();
  readonly #closing = new AbortController();

  /** @param earlier those of the stored conversation */
  constructor(parent: ParentSession<Memory>, earlier: Iterable<string>) {
    this.#parent = parent;
    this.#ids = new Set(earlier);
  }

  has(sessionId: string): boolean {
    return this.#ids.has(sessionId);
  }

  /** Does nothing if it does not work. */
  cancel(sessionId: string): void {
    this.#running.get(sessionId)?.stop.abort();
  }

  /** Cancels those in the background, and waits for their end at most for some milliseconds. */
  async close(grace: number): Promise<void> {
    this.#closing.abort();
    await within(grace, Promise.allSettled([...this.#running.values()].map(({ done }) => done)));
  }

  /** @param signal ends the work, unless it is in the background */
  run(
    task: ChildTask,
    work: (turn: Turn<Memory>) => PromptEnd | Promise<PromptEnd>,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    if (this.#running.size >= most)
      throw new TurnwireError('invalid-input', `${most} sessions of this one work already: wait for one of them`);
    const sessionId = crypto.randomUUID();
    const stop = new AbortController();
    const cancelled = AbortSignal.any([task.background ? this.#closing.signal : signal, stop.signal]);
    const done = this.#work(sessionId, { task, work, cancelled });
    this.#ids.add(sessionId);
    this.#running.set(sessionId, { stop, done });
    const ended = (): boolean => this.#running.delete(sessionId);
    done.then(ended, ended);
    return done;
  }

  async #work(
    sessionId: string,
    {
      task,
      work,
      cancelled,
    }: {
      readonly task: ChildTask;
      readonly work: (turn: Turn<Memory>) => PromptEnd | Promise<PromptEnd>;
      readonly cancelled: AbortSignal;
    },
  ): Promise<PromptResponse> {
    const { session, publisher: parent, machine } = this.#parent;
    const publisher = this.#announce(sessionId, task);
    const prompt = this.#message(publisher, task);
    const ended = task.background ? parent.wire.childContinues(sessionId) : () => undefined;
    publisher.wire.turnBegins(cancelled);
    const turn = new RunningTurn<Memory>({
      session,
      publisher,
      sent: { prompt },
      cancelled,
      machine,
      takeWaiting: () => [],
    });
    try {
      const end = await work(turn);
      const answer = typeof end === 'object' ? end : { stopReason: end ?? 'end_turn' };
      turn.end();
      const outcome = cancelled.aborted ? { ...answer, stopReason: 'cancelled' as const } : answer;
      publisher.wire.turnEnds(outcome);
      return outcome;
    } catch (error) {
      turn.end();
      if (cancelled.aborted) publisher.wire.turnEnds({ stopReason: 'cancelled' });
      // The message of an unknown error may be confidential.
      else publisher.wire.turnFails(error instanceof ProtocolError ? error : failed());
      throw error;
    } finally {
      ended();
      await publisher.close();
    }
  }

  /** Announces the session before anything names it. Its states are mirrored on the session that started it. */
  #announce(sessionId: string, { title, description, kind }: ChildTask): SessionPublisher {
    const { publisher: parent } = this.#parent;
    const report = (more: object): void =>
      void parent.send({ sessionUpdate: 'subagent_update', sessionId, ...more }).catch(() => undefined);
    report({
      title,
      ...(description !== undefined && { description }),
      capabilities: { cancel: {} },
      ...(kind !== undefined && { _meta: { turnwire: { child: kind } satisfies TurnwireMeta['child session'] } }),
    });
    return parent.ofChild(sessionId, ({ sessionUpdate: _, ...state }) =>
      report({ state: state as StateUpdate, ...(state.state === 'idle' && { capabilities: null }) }),
    );
  }

  /** Shows the task in both sessions, each with an id of the message. */
  #message(publisher: SessionPublisher, { message = [] }: ChildTask): readonly ContentBlock[] {
    const content: readonly ContentBlock[] = typeof message === 'string' ? [{ type: 'text', text: message }] : message;
    if (content.length === 0) return content;
    const { publisher: parent } = this.#parent;
    const [sent, received] = [crypto.randomUUID(), crypto.randomUUID()];
    const about = { sessionUpdate: 'session_message', content } as const;
    const to = { recipientSessionId: publisher.sessionId, recipientMessageId: received };
    const from = { senderSessionId: parent.sessionId, senderMessageId: sent };
    void parent.send({ ...about, messageId: sent, ...to }).catch(() => undefined);
    void publisher.send({ ...about, messageId: received, ...from }).catch(() => undefined);
    return content;
  }
}

function failed(): ProtocolError {
  return new ProtocolError(
    errorCodes.internalError,
    'The work of the session failed. See the agent’s log for the reason.',
  );
}
