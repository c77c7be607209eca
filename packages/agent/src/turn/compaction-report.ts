import type { CompactionUpdate, SessionUpdate } from '@turnwire/protocol';

/** The progress of a compaction, as shown by the client. Nothing is sent to clients that do not support compactions. */
export interface CompactionReport {
  /** Shows the next part of the summary. */
  summarize(text: string): Promise<void>;
  /** Completes it with the whole summary. Absent: the parts shown so far. */
  complete(summary?: string): Promise<void>;
  /** Reports that it failed. */
  fail(error: string): Promise<void>;
}

/** A compaction that reports its progress. Once it has ended, reports are ignored. */
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

  /** Ends it as cancelled, with the turn. */
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
