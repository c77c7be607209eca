import { errorText } from '@turnwire/client/error-text';
import type { ContentBlock, SessionUpdate } from '@turnwire/protocol';
import type { FolderRecord, RecordedTurn, TurnStart } from '@turnwire/machine/folder-record';

/** The beginning of a prompt that is stored with its turn, in UTF-16 units. */
const mostPrompt = 200;

/** Calls of these kinds change no files. */
const harmless: ReadonlySet<string> = new Set(['read', 'search', 'think', 'fetch', 'switch_mode']);

/** A failure that takes longer, in milliseconds, is not repeated with every turn: each of them would wait for it. */
const longFailure = 2_000;
/** How many times as long as it took no turn is recorded then. */
const pauses = 20;

/** Options of a {@link TurnRecorder}. */
export interface TurnRecorderOptions {
  /**
   * For a process that runs one turn and ends with it: the state before the turn is read at once, while the agent starts, and a turn without a
   * call that may change something is not recorded. Default: false.
   */
  readonly isForOneTurn?: boolean;
}

/** Records the folder of a session before and after each of its turns. A folder that cannot be recorded does not stop the work. */
export class TurnRecorder {
  readonly #record: FolderRecord;
  readonly #facts: Pick<RecordedTurn, 'sessionId' | 'agent'>;
  /** A turn could not be recorded, and the user knows it: the next one is tried again, because the reason may have passed. */
  #isWarned = false;
  /** When to try again, in milliseconds since 1970. */
  #retryAt = 0;
  /** The state when this recorder was made, for the first turn. */
  #state: Promise<string> | undefined;
  /** A turn that is recorded with its first call that may change something. */
  #waiting: { readonly turn: TurnStart; readonly state: string } | undefined;
  #turn: Promise<RecordedTurn> | undefined;
  #turnId: string | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(
    record: FolderRecord,
    facts: Pick<RecordedTurn, 'sessionId' | 'agent'>,
    { isForOneTurn = false }: TurnRecorderOptions = {},
  ) {
    this.#record = record;
    this.#facts = facts;
    if (!isForOneTurn || !this.#isPossible) return;
    this.#state = record.state();
    this.#state.catch(() => undefined);
  }

  /** The record of the folder. */
  get record(): FolderRecord {
    return this.#record;
  }

  /** Without git nothing is recorded. No session warns of it, but a review says it. */
  get #isPossible(): boolean {
    return this.#record.isRecordable && this.#record.hasGit;
  }

  /**
   * Records the state before a turn.
   * @param turn its id, and the agent's id of the session
   * @returns if it fails, but did not with the turn before, a warning for the user
   */
  async begin(
    turn: Pick<RecordedTurn, 'id' | 'agentSessionId'>,
    prompt: readonly ContentBlock[],
  ): Promise<string | undefined> {
    await this.#last;
    if (!this.#isPossible || Date.now() < this.#retryAt) return undefined;
    const text = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    // Several sessions share the record of a folder, and their turns may have the same ids.
    const id = `${this.#facts.sessionId}:${turn.id}`;
    const start = { ...this.#facts, ...turn, id, prompt: text.slice(0, mostPrompt) };
    const state = this.#state;
    const begun = Date.now();
    this.#state = undefined;
    try {
      if (state) this.#waiting = { turn: start, state: await state };
      else await (this.#turn = this.#record.begin(start));
      this.#turnId = id;
      this.#isWarned = false;
      return undefined;
    } catch (error) {
      this.#turn = undefined;
      const took = Date.now() - begun;
      if (took > longFailure) this.#retryAt = Date.now() + pauses * took;
      if (this.#isWarned) return undefined;
      this.#isWarned = true;
      return `Changes cannot be reviewed for now: ${errorText(error)}`;
    }
  }

  /** Notices that a call of the agent may change something. */
  updated(update: SessionUpdate): void {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return;
    if (!harmless.has(update.kind ?? (update.sessionUpdate === 'tool_call' ? 'other' : 'read'))) this.mayChange();
  }

  /** The agent may change something from now on. */
  mayChange(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    this.#turn = this.#record.begin(waiting.turn, waiting.state);
    this.#turn.catch(() => undefined);
  }

  /** The id of the turn that is being recorded. */
  get turnId(): string | undefined {
    return this.#turnId;
  }

  /** Records the state after the turn. {@link recorded} resolves when that is done. */
  end(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    this.#turnId = undefined;
    this.#waiting = undefined;
    // Without its end, a turn counts as one that was interrupted.
    if (turn) this.#last = turn.then((begun) => this.#record.end(begun)).catch(() => undefined);
  }

  /** Resolves when the last turn that ended is recorded. */
  get recorded(): Promise<void> {
    return this.#last;
  }
}
