import type { CompactionUpdate, SessionUpdate } from '@turnwire/protocol';

/** A compaction of the conversation as the client follows it. Clients that do not know compactions are told nothing. */
export interface CompactionReport {
  /** Shows another piece of the summary. */
  summarize(text: string): Promise<void>;
  /** It is done; this is the whole summary. Absent: the pieces shown are. */
  complete(summary?: string): Promise<void>;
  /** It could not be done. */
  fail(error: string): Promise<void>;
}

/** A compaction that reports what happens to it. Once it is over, whatever is reported does nothing. */
export class OpenCompaction implements CompactionReport {
  readonly #id = crypto.randomUUID();
  readonly #send: (update: SessionUpdate, stored: SessionUpdate | null) => Promise<void>;
  #summary = '';
  #isOver = false;

  constructor(send: (update: SessionUpdate, stored: SessionUpdate | null) => Promise<void>) {
    this.#send = send;
    void this.#update({ status: 'in_progress' }, false);
  }

  async summarize(text: string): Promise<void> {
    if (this.#isOver || text === '') return;
    this.#summary += text;
    const content = { type: 'text', text } as const;
    await this.#send({ sessionUpdate: 'compaction_summary_chunk', compactionId: this.#id, content }, null);
  }

  complete(summary: string = this.#summary): Promise<void> {
    return this.#end({ status: 'completed', ...(summary && { summary: [{ type: 'text', text: summary }] }) });
  }

  fail(error: string): Promise<void> {
    return this.#end({ status: 'failed', error });
  }

  /** The turn was cancelled. */
  cancel(): Promise<void> {
    return this.#end({ status: 'cancelled' });
  }

  async #end(change: Omit<CompactionUpdate, 'compactionId'>): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#update(change, true);
  }

  #update(change: Omit<CompactionUpdate, 'compactionId'>, isLast: boolean): Promise<void> {
    const update = { sessionUpdate: 'compaction_update', compactionId: this.#id, ...change } as const;
    return this.#send(update, isLast ? update : null);
  }
}
