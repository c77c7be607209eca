/** An unanswered prompt. */
interface Prompt {
  /** The id of its request, as JSON. */
  readonly key: string;
  isCancelled: boolean;
}

/** Updates that belong to a turn, or to the replay of one. */
const ofTurns: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'compaction_update',
  'compaction_summary_chunk',
]);

/** Checks which updates an agent sends for one session, and when. */
export class SessionCheck {
  readonly #report: (violation: string) => void;
  #isReady = false;
  /** Unanswered `session/load` requests. While there is one, the history is replayed. */
  #loads = 0;
  /** Oldest first: the first runs, the others wait or were taken into its turn. */
  readonly #prompts: Prompt[] = [];
  /** Tool calls by id, and whether they have ended. */
  readonly #calls = new Map<string, boolean>();
  readonly #compactions = new Map<string, boolean>();

  constructor(report: (violation: string) => void) {
    this.#report = report;
  }

  loadBegan(): void {
    this.#loads += 1;
  }

  loadEnded(isSetUp: boolean): void {
    this.#loads -= 1;
    if (isSetUp) this.isSetUp();
  }

  isSetUp(): void {
    this.#isReady = true;
    this.#noOpenCalls('the answer that set up its session');
  }

  /** @param key the id of its request, as JSON */
  promptCame(key: string): void {
    this.#prompts.push({ key, isCancelled: false });
  }

  cancelCame(): void {
    for (const prompt of this.#prompts) prompt.isCancelled = true;
  }

  promptAnswered(key: string, stopReason: unknown): void {
    const index = this.#prompts.findIndex((prompt) => prompt.key === key);
    const [prompt] = index < 0 ? [] : this.#prompts.splice(index, 1);
    if (prompt?.isCancelled && stopReason !== 'cancelled' && stopReason !== 'refused')
      this.#report(`a cancelled prompt was answered ${String(stopReason)}`);
    // Calls that are open while an older prompt is unanswered belong to that prompt.
    if (index > 0) return;
    this.#noOpenCalls('the answer to its prompt');
    if ([...this.#compactions.values()].includes(false))
      this.#report('a compaction was still open when its prompt was answered');
  }

  update(update: { readonly sessionUpdate: string }): void {
    const { sessionUpdate } = update;
    if (ofTurns.has(sessionUpdate) && this.#prompts.length === 0 && this.#loads === 0)
      this.#report(`${sessionUpdate} outside of a turn`);
    if (sessionUpdate === 'available_commands_update' && !this.#isReady)
      this.#report('commands before the answer that sets the session up');
    if (sessionUpdate === 'tool_call') this.#announced(update as unknown as Call);
    if (sessionUpdate === 'tool_call_update') this.#changed(update as unknown as Call);
    if (sessionUpdate.startsWith('compaction_')) this.#compacts(update as unknown as Compaction);
  }

  #announced({ toolCallId, status }: Call): void {
    // A load replays calls that were announced before.
    if (this.#calls.has(toolCallId) && this.#loads === 0) this.#report('a tool call was announced twice');
    this.#calls.set(toolCallId, isFinal(status));
  }

  #changed({ toolCallId, status }: Call): void {
    const isOver = this.#calls.get(toolCallId);
    if (isOver === undefined) this.#report('a tool call was updated without being announced');
    if (isOver) this.#report('a tool call was updated after it ended');
    if (isOver !== undefined) this.#calls.set(toolCallId, isOver || isFinal(status));
  }

  #compacts({ sessionUpdate, compactionId, status }: Compaction): void {
    const isOver = this.#compactions.get(compactionId);
    if (isOver && this.#loads === 0) this.#report('a compaction was updated after it ended');
    if (sessionUpdate === 'compaction_update') this.#compactions.set(compactionId, status !== 'in_progress');
    else if (isOver === undefined) this.#report('a compaction summary was sent before the compaction started');
  }

  #noOpenCalls(before: string): void {
    if ([...this.#calls.values()].includes(false)) this.#report(`a tool call outlived ${before}`);
  }
}

type Call = { readonly toolCallId: string; readonly status?: string | null };
type Compaction = { readonly sessionUpdate: string; readonly compactionId: string; readonly status?: string };

function isFinal(state: string | null | undefined): boolean {
  return state === 'completed' || state === 'failed';
}
