import type { Lanes } from './lanes.ts';
import type { OutgoingMethod } from './method-table.ts';
import { sessionOf } from './session-of.ts';

/** The maximum number of child sessions whose parents are known. An agent chooses the ids, and may announce any number. */
const mostChildren = 4_096;

/**
 * Holds the messages of a session until the answer to `session/new`, or to another method that begins a session, has reached the caller.
 * Before that the caller does not know the session's id.
 */
export class SessionSetup {
  readonly #lanes: Lanes;
  /** Made for the first. */
  #known: Set<string> | undefined;
  /** The session that each child session was announced in. */
  #parents: Map<string, string | undefined> | undefined;
  #underWay = 0;

  constructor(lanes: Lanes) {
    this.#lanes = lanes;
  }

  /** Records an outgoing request. */
  sent({ effect }: OutgoingMethod, params: unknown): void {
    if (effect === 'begins') this.#underWay++;
    else if (effect === 'opens') this.#learn(sessionOf(params));
  }

  /** Records an answer, or that the request failed. */
  answered({ effect }: OutgoingMethod, params: unknown, result?: unknown): void {
    if (result !== undefined && effect === 'ends') this.#known?.delete(sessionOf(params) ?? '');
    if (effect !== 'begins') return;
    this.#underWay--;
    const id = sessionOf(result);
    this.#learn(id);
    // The caller receives the id in a microtask; one macrotask later it has registered the session.
    if (id !== undefined) this.#lanes.hold(id);
    setTimeout(() => {
      this.#lanes.release(id);
      if (this.#underWay === 0) this.#lanes.releaseAll();
    }, 0);
  }

  /** Holds the messages of an unknown session while a session is being set up. */
  holdIfEarly(session: string | undefined): void {
    if (this.#underWay === 0 || session === undefined || this.#known?.has(session)) return;
    this.#lanes.hold(session);
  }

  /**
   * The session whose lane the messages of a session use. A child session has the lane of its parent, so that its messages come after the
   * update that announces it.
   */
  laneOf(session: string | undefined): string | undefined {
    return this.#parents?.get(session as string) ?? session;
  }

  /** Notes a child session that an incoming notification announces. */
  arrived(params: unknown): void {
    const { sessionId, update } = params as {
      readonly sessionId?: string;
      readonly update?: { readonly sessionUpdate?: unknown; readonly sessionId?: string };
    };
    const child = update?.sessionUpdate === 'subagent_update' ? update.sessionId : undefined;
    // A session that the client has opened is not a child, whatever the agent says.
    if (child === undefined || this.#known?.has(child)) return;
    const parents = (this.#parents ??= new Map());
    parents.set(child, this.laneOf(sessionId));
    const [oldest] = parents.keys();
    if (parents.size > mostChildren && oldest !== undefined) parents.delete(oldest);
  }

  #learn(id: string | undefined): void {
    if (id !== undefined) (this.#known ??= new Set()).add(id);
  }
}
