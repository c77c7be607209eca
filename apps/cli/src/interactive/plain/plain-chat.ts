import type { ChatState } from '../../sessions/chat-session.ts';
import type { Diff } from '@turnwire/protocol';
import type { TranscriptEntry } from '@turnwire/client/transcript';
import { exitCodes, signalCodes } from '../../exit-codes.ts';
import { cleanLine, cleanText } from '../../terminal/clean-text.ts';
import { diffRows } from '../../terminal/diff-rows.ts';
import type { Terminal } from '../../terminal/lines.ts';
import type { Page } from '../../terminal/page.ts';
import { wrapIndented } from '../../terminal/text-width.ts';
import { plain } from '../../terminal/paint.ts';
import type { CommandActions } from '../chat-actions.ts';
import { ChatController, type ChatView, type Introduction } from '../chat-controller.ts';
import { copied } from '../clipboard.ts';
import { runCommand } from '../commands.ts';
import { entryLines } from '../entries/entry-lines.ts';
import type { RenderOptions } from '../entries/render-options.ts';
import { type FirstStep, typedStepLines } from '../first-steps.ts';
import { FrameClock } from '../frame-clock.ts';
import type { ChatOptions } from '../chat-options.ts';
import { SuspendedUi } from '../suspended-ui.ts';
import { Scrollback } from '../scrollback.ts';
import { choosePlainly, type PlainChoosing } from '../../questions/plain-choice.ts';
import { runAndAttach, runInTerminal } from '../run-shell-line.ts';
import { LineReader } from './line-reader.ts';
import { SpokenFacts } from './spoken-facts.ts';
import { spokenLine } from './spoken-line.ts';

const keysHelp: CommandActions['keys'] = [
  ['Enter', 'send; while a turn runs, queue the prompt'],
  ['! COMMAND', 'run a command; its output is sent with the next prompt'],
  ['!! COMMAND', 'run a command that needs input, such as an editor'],
  ['Ctrl-C', 'stop the turn, or a command of yours; twice, leave'],
  ['Ctrl-D', 'leave'],
];

/** The maximum number of listed calls. */
const mostCalls = 50;

const signals = ['SIGHUP', 'SIGTERM', 'SIGINT'] as const;

/** A chat that prints each line once and reads lines, for screen readers and terminals that cannot move the cursor. */
export class PlainChat implements CommandActions, ChatView, AsyncDisposable {
  readonly controller: ChatController;
  readonly keys: CommandActions['keys'] = keysHelp;
  readonly #output: Terminal['output'];
  readonly #reader: LineReader;
  readonly #clock: FrameClock;
  readonly #suspended: SuspendedUi = new SuspendedUi();
  #scrollback = new Scrollback({ isFirst: true, skips: isTyped });
  #pending: readonly { readonly prompt: string; readonly resolve: (line: string | undefined) => void }[] = [];
  #showsThoughts = false;
  #isPrompted = false;
  #wasInterrupted = false;
  /** Ends the running command of the user. */
  #command: AbortController | undefined;
  #reportedState: unknown;
  #reportedText: string | undefined;
  #facts = new SpokenFacts();

  constructor(options: ChatOptions) {
    this.#output = options.terminal.output;
    this.#clock = new FrameClock(() => this.#print());
    for (const signal of signals) process.on(signal, this.#onSignal);
    for (const line of options.banner(plain)) this.#write(`${line}\n`);
    this.controller = new ChatController(options, this);
    this.#reader = new LineReader(options.terminal.input, {
      line: (line) => this.#line(line),
      end: () => this.controller.leave(exitCodes.ok),
    });
    const { first } = options.opening;
    if (first !== undefined) this.#write(`> ${cleanText(first)}\n`);
    this.controller.begin();
    this.#clock.changed();
  }

  changed(): void {
    this.#clock.changed();
  }

  offer(steps: readonly FirstStep[]): void {
    this.say(typedStepLines(steps));
  }

  /** Does nothing: the prompt is on the screen, and the user can copy it. */
  unsent(): void {}

  switched(_sessionId: string | undefined, introduction: Introduction | undefined): void {
    if (introduction) this.note(`Now in ${introduction.title}.`);
    this.#scrollback = new Scrollback({ isFirst: true, skips: isTyped });
    this.#facts = new SpokenFacts();
  }

  say(lines: readonly string[]): void {
    this.#freshLine();
    this.#writeLines(lines);
    this.#clock.changed();
  }

  note(text: string): void {
    if (text !== '') this.say([cleanText(text)]);
  }

  choose<Value>(choosing: PlainChoosing<Value>): Promise<Value | undefined> {
    return choosePlainly(this, choosing);
  }

  /** Asks for a line; questions are queued. Resolves with undefined if the question is withdrawn. */
  askLine(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      const settle = (line: string | undefined): void => {
        this.#pending = this.#pending.filter((each) => each !== pending);
        signal?.removeEventListener('abort', withdraw);
        resolve(line);
        this.#isPrompted = false;
        this.#clock.changed();
      };
      const withdraw = (): void => settle(undefined);
      const pending = { prompt, resolve: settle };
      signal?.addEventListener('abort', withdraw, { once: true });
      this.#pending = [...this.#pending, pending];
      this.#clock.changed();
    });
  }

  askText(question: string): Promise<string | undefined> {
    return this.askLine(`${question}: `);
  }

  /** Suspends the UI during other work. The signal asks the work to end. */
  suspendUi<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    this.#reader.pause();
    return this.#suspended.during(work, () => {
      this.#reader.resume();
      this.#isPrompted = false;
      this.#clock.changed();
    });
  }

  get page(): Page {
    return { width: this.#columns, paint: plain, folder: this.controller.cwd };
  }

  copy(text: string): void {
    this.#output.draw(copied(text));
  }

  toggleThoughts(): void {
    this.#showsThoughts = !this.#showsThoughts;
    this.note(this.#showsThoughts ? 'Thoughts are now shown in full.' : 'Thoughts are now shown in one line.');
  }

  showTranscript(): void {
    this.note('Everything is above.');
  }

  /** Prints a call in full that the user chooses. */
  async showCalls(entry?: number): Promise<void> {
    const { entries } = this.controller.conversation.transcript;
    const wanted = entry === undefined ? undefined : entries.at(entry);
    if (wanted) return this.#sayInFull(wanted);
    const calls = [...entries].filter((entry) => entry.type === 'tool-call').toReversed();
    if (calls.length === 0) return this.note('There is no call yet.');
    const choices = calls.slice(0, mostCalls).map((call) => ({ label: cleanLine(call.title), value: call }));
    const call = await this.choose({ title: 'Show which call in full?', choices });
    if (call) this.#sayInFull(call);
  }

  #sayInFull(entry: TranscriptEntry): void {
    this.say(entryLines(entry, { ...this.#renderOptions(), isExpanded: true }));
  }

  showDiffs(diffs: readonly Diff[]): Promise<void> {
    this.say(diffs.flatMap((diff) => diffRows(diff, this.page)));
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#suspended.stop();
    this.controller.mute();
    this.#clock[Symbol.dispose]();
    this.#reader[Symbol.dispose]();
    this.#print();
    this.#freshLine();
    await this.controller.close();
    for (const signal of signals) process.off(signal, this.#onSignal);
  }

  #line(line: string): void {
    this.#isPrompted = false;
    this.#wasInterrupted = false;
    const [question] = this.#pending;
    const text = line.trim();
    if (question) question.resolve(line);
    else if (/^!!./.test(text)) void runInTerminal(this, text.slice(2).trim());
    else if (/^!./.test(text)) void this.#runShellLine(text.slice(1).trim());
    else if (text !== '' && !runCommand(this, text)) this.controller.send(line);
    this.#clock.changed();
  }

  async #runShellLine(line: string): Promise<void> {
    const running = new AbortController();
    this.#command = running;
    await runAndAttach(this, line, { signal: running.signal, onOutput: () => undefined });
    this.#command = undefined;
    this.#clock.changed();
  }

  #renderOptions(): RenderOptions {
    return {
      width: 1_000,
      paint: plain,
      isExpanded: false,
      showsThoughts: this.#showsThoughts,
      terminals: this.controller.conversation.transcript.terminals,
      messages: { width: this.#columns, paint: plain, isPrintedOnce: true },
      now: Date.now(),
    };
  }

  #print(): void {
    if (this.#suspended.isSuspended) return;
    const { transcript } = this.controller.conversation;
    const options = this.#renderOptions();
    const { lines, isAll } = this.#scrollback.take(transcript, options);
    this.#reportState();
    const long = this.#facts.longCalls(this.#scrollback.running(transcript), options.now);
    if (long.next !== undefined) this.#clock.later(long.next);
    const spoken = [...lines, ...this.#facts.settings(transcript), ...long.lines].filter((line) => line !== '');
    if (spoken.length > 0) this.#freshLine();
    this.#writeLines(spoken.map(spokenLine));
    if (!isAll) return this.#clock.changed();
    this.#prompt();
  }

  /** Prints the prompt sign once, when there is a question or nothing runs. */
  #prompt(): void {
    const { name } = this.controller.conversation.state;
    const [question] = this.#pending;
    const isIdle = name === 'ready' || name === 'dead' || name === 'reconnecting' || name === 'login-needed';
    if (this.#isPrompted || this.#command || (!question && !isIdle)) return;
    this.#isPrompted = true;
    this.#write(question?.prompt ?? '> ');
  }

  #reportState(): void {
    const { state } = this.controller.conversation;
    if (state === this.#reportedState) return;
    this.#reportedState = state;
    const text = stateText(state, this.controller.agentName);
    if (text === this.#reportedText) return;
    this.#reportedText = text;
    if (text === undefined) return;
    this.#freshLine();
    this.#write(`${cleanText(text)}\n`);
  }

  /** Starts a new line for the next output. */
  #freshLine(): void {
    if (this.#isPrompted) this.#write('\n');
    this.#isPrompted = false;
  }

  get #columns(): number {
    return this.#output.size?.columns || 80;
  }

  #writeLines(lines: readonly string[]): void {
    for (const line of lines.flatMap((each) => wrapIndented(each, this.#columns))) this.#write(`${line}\n`);
  }

  #write(text: string): void {
    this.#output.print(text);
  }

  readonly #onSignal = (signal: keyof typeof signalCodes): void => {
    if (signal !== 'SIGINT') return this.controller.leave(signalCodes[signal]);
    // While the UI is suspended, Ctrl-C is for the program that has the terminal.
    if (this.#suspended.isSuspended) return;
    if (this.#command) return this.#command.abort();
    const { name } = this.controller.conversation.state;
    if (this.#wasInterrupted || name === 'cancelling') return this.controller.leave(exitCodes.interrupted);
    if (name === 'working') return this.controller.conversation.cancel();
    this.#wasInterrupted = true;
    for (const { resolve } of this.#pending) resolve(undefined);
    this.say(['Ctrl-C again leaves, and so does Ctrl-D.']);
  };
}

/** The message about a state; undefined for self-evident ones. */
function stateText(state: ChatState, agentName: string): string | undefined {
  switch (state.name) {
    case 'starting':
      return `Starting ${agentName} …`;
    case 'working':
      return state.silentSince === undefined ? undefined : 'The agent is silent. Ctrl-C stops the turn.';
    case 'cancelling':
      return state.isOverdue ? 'The agent does not stop. /restart restarts it.' : undefined;
    case 'reconnecting':
      return `${state.message}\nThe connection broke. Reconnecting in ${Math.ceil((state.until - Date.now()) / 1000)} s; /restart does it now.`;
    case 'dead':
      return `${state.message}\nThe agent ended. /restart or a prompt restarts it.`;
    case 'login-needed':
      return `${state.message}\nThe agent requires a login: /login`;
    case 'ready':
    case 'closed':
      return undefined;
  }
}

/** Whether an entry is a typed prompt, which is on the screen already. */
function isTyped(entry: TranscriptEntry): boolean {
  return entry.type === 'user' && !entry.isReplay;
}
