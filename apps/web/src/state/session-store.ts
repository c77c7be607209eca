import type { Agent } from '@turnwire/client';
import { errorText } from '@turnwire/client/error-text';
import { forksOf, type KnownForkSettings } from '@turnwire/client/extensions';
import { GatewaySession, type HistoryRead, type OwnPrompts } from '@turnwire/client/gateway';
import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import type { AgentWork, ContentBlock, PromptCapabilities, TextMatch } from '@turnwire/protocol';
import { serverClock } from '../server/server-clock.ts';
import type { SessionState } from './session-state.ts';
import { Store } from './store.ts';

/** The options of a SessionStore. */
export interface SessionParts {
  readonly agentName: string;
  readonly cwd: string;
  /** Absent for a new session. */
  readonly id?: string | undefined;
  /** Asks the user to log in at an agent. Resolves to whether that succeeded. */
  readonly logIn: (agent: Agent) => Promise<boolean>;
}

/** The number of latest events loaded when a session opens, and the factor by which each further load extends them. */
const firstEvents = 400;
const growth = 5;

/**
 * A session as this window shows it. The transcript comes only from the gateway's log, so that it is the same in every window and after a
 * reconnect.
 */
export class SessionStore {
  /** Identifies the session in this window, even before it has an id. */
  readonly key: string = crypto.randomUUID();
  readonly agentName: string;
  readonly cwd: string;
  readonly state: Store<SessionState>;
  /** The session at the gateway. */
  readonly remote: GatewaySession;
  #reading: Promise<void> = Promise.resolve();

  constructor({ agentName, cwd, id, logIn }: SessionParts) {
    this.agentName = agentName;
    this.cwd = cwd;
    this.remote = new GatewaySession({
      cwd,
      id,
      last: firstEvents,
      now: () => serverClock.now(),
      logIn,
      onEvents: (events) => this.#receive(events),
      onChange: () => this.#show(),
      onBegun: () => this.#moveDraft(),
      onRestart: () =>
        this.state.change({ view: emptyTranscript(), firstRow: 0, earlier: 'none', workingSince: undefined }),
      onPromptFailed: (error) =>
        this.#record([{ at: serverClock.now(), type: 'remark', severity: 'error', title: errorText(error) }]),
    });
    this.state = new Store<SessionState>({
      view: emptyTranscript(),
      firstRow: 0,
      earlier: 'none',
      ...shownOf(this.remote),
    });
  }

  get id(): string | undefined {
    return this.remote.id;
  }

  get prompts(): OwnPrompts {
    return this.remote.prompts;
  }

  /** The text in the editor. It survives switching sessions and reloads of the page. */
  get draft(): string {
    return localStorage.getItem(this.#draftKey(this.id)) ?? '';
  }

  set draft(text: string) {
    if (text === '') localStorage.removeItem(this.#draftKey(this.id));
    else localStorage.setItem(this.#draftKey(this.id), text);
  }

  /** The attachments of the next prompt, kept until the page closes. */
  attached: readonly ContentBlock[] = [];

  /** The fork settings that the agent supports. Undefined if it cannot fork, or while there is no connection. */
  get forks(): KnownForkSettings | undefined {
    return forksOf(this.remote.agent?.capabilities);
  }

  /** The content types that prompts may contain besides text and links. */
  get promptCapabilities(): PromptCapabilities {
    return this.remote.agent?.capabilities.promptCapabilities ?? {};
  }

  /** Loads several times as many events as before, or all of them. Does nothing if all are loaded, or during another load. */
  async readEarlier(isAll = false): Promise<void> {
    if (!this.remote.agent || this.state.current.earlier !== 'there') return this.#reading;
    this.state.change({ earlier: 'loading' });
    const last = isAll ? Number.MAX_SAFE_INTEGER : this.remote.received * growth;
    this.#reading = this.remote
      .readBack(last, (read) => this.#showEarlier(read))
      .catch(() => {
        if (this.state.current.earlier === 'loading') this.state.change({ earlier: 'there' });
      });
    await this.#reading;
  }

  /** Scrolls to a text that a search has found. */
  seek(sought: TextMatch): void {
    this.state.change({ sought });
  }

  /** Records that the text is shown. */
  endSeek(): void {
    this.state.change({ sought: undefined });
  }

  /** Whether the event with a cursor is loaded. */
  hasLoaded(cursor: string): boolean {
    const [sequence = 0, last = 0] = [cursor, this.remote.cursor ?? ''].map((each) => Number(each.split('.')[1]));
    return sequence > last - this.remote.received;
  }

  /** Loads all events. */
  async readAll(): Promise<void> {
    await this.#reading;
    await this.readEarlier(true);
  }

  /** Asks the agent to cancel a part of its work. A failure is a notice. */
  async cancelWork(work: AgentWork): Promise<void> {
    await this.remote.cancelWork(work).catch((error: unknown) => this.addNotice('Not cancelled', errorText(error)));
  }

  /** Adds a notice below the transcript in this window. */
  addNotice(title: string, description: string): void {
    this.#record([{ at: serverClock.now(), type: 'remark', severity: 'info', title, description }]);
  }

  #draftKey(id: string | undefined): string {
    return `draft ${this.agentName} ${id ?? `in ${this.cwd}`}`;
  }

  /** Stores the draft under the id that a new session has received. */
  #moveDraft(): void {
    const draft = localStorage.getItem(this.#draftKey(undefined)) ?? '';
    localStorage.removeItem(this.#draftKey(undefined));
    this.draft = draft;
  }

  #receive(events: readonly TranscriptEvent[]): void {
    const newest = events.at(-1);
    // Events before the phase `ready` are history and carry old times.
    if (newest && this.state.current.phase === 'ready') serverClock.measure(newest.at);
    this.#record(events);
  }

  #record(events: readonly TranscriptEvent[]): void {
    const { view: before, workingSince } = this.state.current;
    const view = reduceAll(before, events);
    const begun = events.findLast((event) => event.type === 'prompt' && event.into === undefined);
    this.state.change({ view, workingSince: view.turnId === undefined ? undefined : (begun?.at ?? workingSince) });
    this.#show();
  }

  #show(): void {
    const { earlier } = this.state.current;
    const there = this.remote.hasEarlier ? 'there' : 'none';
    this.state.change({ ...shownOf(this.remote), earlier: earlier === 'loading' ? earlier : there });
  }

  #showEarlier({ view }: HistoryRead): void {
    const { view: before, firstRow, earlier } = this.state.current;
    if (earlier !== 'loading') return;
    this.state.change({
      view,
      firstRow: firstRow + before.entries.length - view.entries.length,
      earlier: this.remote.hasEarlier ? 'there' : 'none',
    });
  }
}

/** The part of the state that comes from the remote session. */
function shownOf({
  phase,
  failure,
  role,
  prompts,
  questions,
}: GatewaySession): Omit<SessionState, 'view' | 'firstRow' | 'earlier' | 'workingSince' | 'sought'> {
  return {
    phase,
    failure,
    role,
    waiting: prompts.list,
    queue: prompts.queue,
    isCancelling: prompts.isCancelling,
    questions: questions.list,
    visits: questions.visits,
  };
}
