import { errorText, type Agent } from '@turnwire/client';
import { forksOf, type KnownForkSettings } from '@turnwire/client/extensions';
import { GatewaySession, type HistoryRead, type OwnPrompts } from '@turnwire/client/gateway';
import { emptyTranscript, reduceAll, type TranscriptEvent } from '@turnwire/client/transcript';
import type { ContentBlock, PromptCapabilities } from '@turnwire/protocol';
import { serverClock } from '../server/server-clock.ts';
import type { SessionState } from './session-state.ts';
import { Store } from './store.ts';

/** What a session is opened with. */
export interface SessionParts {
  readonly agentName: string;
  readonly cwd: string;
  /** Absent for a new one. */
  readonly id?: string | undefined;
  /** Asks the user to log in at an agent; whether that was done. */
  readonly logIn: (agent: Agent) => Promise<boolean>;
}

/** How many events of the end of a session are loaded when it is opened, and by how much more each time that more are needed. */
const firstEvents = 400;
const growth = 5;

/**
 * A session as this window shows it. The transcript is made of the log of the gateway alone, so that it is the same in every window and after a
 * connection broke.
 */
export class SessionStore {
  /** Identifies it in this window, also before it has an id. */
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

  /** What is in the editor: it stays there while another session is shown, and when a phone or the user loads the page again. */
  get draft(): string {
    return localStorage.getItem(this.#draftKey(this.id)) ?? '';
  }

  set draft(text: string) {
    if (text === '') localStorage.removeItem(this.#draftKey(this.id));
    else localStorage.setItem(this.#draftKey(this.id), text);
  }

  /** What is attached to the next prompt, as long as the page is open. */
  attached: readonly ContentBlock[] = [];

  /** Which settings of forks the agent knows. Undefined if it makes none, or while there is no connection. */
  get forks(): KnownForkSettings | undefined {
    return forksOf(this.remote.agent?.capabilities);
  }

  /** What prompts may hold besides text and links. */
  get promptCapabilities(): PromptCapabilities {
    return this.remote.agent?.capabilities.promptCapabilities ?? {};
  }

  /** Loads several times as many events as there are, or all of them. Does nothing if there are no others, or while it does so already. */
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

  /** Loads all there is. */
  async readAll(): Promise<void> {
    await this.#reading;
    await this.readEarlier(true);
  }

  /** Says something in this window, below all there is. */
  remark(title: string, description: string): void {
    this.#record([{ at: serverClock.now(), type: 'remark', severity: 'info', title, description }]);
  }

  #draftKey(id: string | undefined): string {
    return `draft ${this.agentName} ${id ?? `in ${this.cwd}`}`;
  }

  /** A new session has an id now. */
  #moveDraft(): void {
    const draft = localStorage.getItem(this.#draftKey(undefined)) ?? '';
    localStorage.removeItem(this.#draftKey(undefined));
    this.draft = draft;
  }

  #receive(events: readonly TranscriptEvent[]): void {
    const newest = events.at(-1);
    // Before it is ready, it receives what happened earlier.
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

/** The part of the state that the remote session has. */
function shownOf({
  phase,
  failure,
  role,
  prompts,
  questions,
}: GatewaySession): Omit<SessionState, 'view' | 'firstRow' | 'earlier' | 'workingSince'> {
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
