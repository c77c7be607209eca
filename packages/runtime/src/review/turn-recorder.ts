import { errorText } from '@turnwire/client';
import type { ContentBlock } from '@turnwire/protocol';
import type { FolderRecord, RecordedTurn } from '@turnwire/machine/folder-record';

/** The beginning of a prompt that is stored with its turn, in UTF-16 units. */
const mostPrompt = 200;

/** Records the folder of a session before and after each of its turns. A folder that cannot be recorded does not stop the work. */
export class TurnRecorder {
  readonly #record: FolderRecord;
  readonly #facts: Pick<RecordedTurn, 'sessionId' | 'agent'>;
  /** Why the folder cannot be recorded. */
  #failure: string | undefined;
  #turn: RecordedTurn | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(record: FolderRecord, facts: Pick<RecordedTurn, 'sessionId' | 'agent'>) {
    this.#record = record;
    this.#facts = facts;
  }

  /**
   * Records the state before a turn.
   * @param turn its id, and the agent's id of the session
   * @returns the first time that it fails, a warning for the user
   */
  async begin(
    turn: Pick<RecordedTurn, 'id' | 'agentSessionId'>,
    prompt: readonly ContentBlock[],
  ): Promise<string | undefined> {
    await this.#last;
    if (this.#failure !== undefined || !this.#record.isRecordable) return undefined;
    try {
      const text = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
      this.#turn = await this.#record.begin({ ...this.#facts, ...turn, prompt: text.slice(0, mostPrompt) });
      return undefined;
    } catch (error) {
      this.#failure = errorText(error);
      return `The changes of this session cannot be reviewed: ${this.#failure}`;
    }
  }

  /** The id of the turn that is being recorded. */
  get turnId(): string | undefined {
    return this.#turn?.id;
  }

  /** Records the state after the turn. {@link recorded} resolves when that is done. */
  end(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    // Without its end, a turn counts as one that was interrupted.
    if (turn) this.#last = this.#record.end(turn).catch(() => undefined);
  }

  /** Resolves when the last turn that ended is recorded. */
  get recorded(): Promise<void> {
    return this.#last;
  }
}
