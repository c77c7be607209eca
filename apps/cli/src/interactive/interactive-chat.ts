import { basename } from 'node:path';
import type { MessageEntry } from '@turnwire/client/transcript';
import type { Diff } from '@turnwire/protocol';
import { exitCodes, signalCodes } from '../exit-codes.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { highlighter } from '../terminal/highlighter.ts';
import type { Page } from '../terminal/page.ts';
import { type Paint, plain } from '../terminal/paint.ts';
import { wrapColumns } from '../terminal/text-width.ts';
import { BranchName } from './branch-name.ts';
import { activityOf, Attention } from './attention.ts';
import type { ChatActions } from './chat-actions.ts';
import type { Choosing } from '../questions/choice.ts';
import { ChatController, type ChatView, type Introduction } from './chat-controller.ts';
import type { ChatOptions } from './chat-options.ts';
import { ChatLines } from './chat-lines.ts';
import { drawChat } from './chat-view.ts';
import { copied } from './clipboard.ts';
import { commandNames, keysHelp, runCommand } from './commands.ts';
import { type FirstStep, firstStepLines } from './first-steps.ts';
import { Completion } from './completion/completion.ts';
import { choose } from './dialogs/choose.ts';
import { Confirm } from './dialogs/confirm.ts';
import { OpenDialogs } from './dialogs/open-dialogs.ts';
import { Editor } from './editor.ts';
import type { RenderOptions } from './entries/render-options.ts';
import { FailureReports } from './failure-reports.ts';
import { FrameClock, spinnerAt } from './frame-clock.ts';
import { KeyBindings } from './key-bindings.ts';
import type { Key } from './key-reader.ts';
import { SuspendedUi } from './suspended-ui.ts';
import { LiveScreen } from './live-screen.ts';
import { isMoving } from './status-line.ts';
import { diffPages, PagedLines, transcriptPages } from './paged-lines.ts';
import { Pager } from './pager.ts';
import { PromptHistory } from './prompt-history.ts';
import { TemporaryNote } from './temporary-note.ts';
import { TextQuestion } from './dialogs/text-question.ts';
import { TerminalSession } from './terminal-session.ts';
import { contentText, messageText } from '@turnwire/client/view';
import { type Frame, frame } from '../terminal/frame.ts';

/** A chat with an agent, in a terminal. */
export class InteractiveChat implements ChatActions, ChatView, AsyncDisposable {
  readonly controller: ChatController;
  readonly history: PromptHistory;
  readonly editor: Editor;
  readonly keys: ChatActions['keys'] = keysHelp;
  readonly dialogs: OpenDialogs;
  readonly completion: Completion;
  readonly #paint: Paint;
  readonly #clock: FrameClock;
  readonly #terminal: TerminalSession;
  readonly #screen: LiveScreen;
  readonly #bindings: KeyBindings;
  readonly #note: TemporaryNote;
  readonly #attention: Attention | undefined;
  readonly #suspended: SuspendedUi = new SuspendedUi();
  readonly #branch: BranchName;
  readonly #lines = new ChatLines();
  /** The steps that the user can select by number before the first prompt. */
  #firstSteps: readonly FirstStep[] = [];
  #showsThoughts = false;
  #pager: Pager | undefined;
  readonly #failures = new FailureReports();

  constructor(options: ChatOptions) {
    this.#branch = new BranchName(options.cwd);
    this.history = new PromptHistory(options.promptsFile);
    this.editor = new Editor(this.history);
    this.#paint = options.terminal.output.paint;
    this.#clock = new FrameClock(() => this.#draw());
    this.#note = new TemporaryNote(this.#clock.changed);
    this.dialogs = new OpenDialogs(this.#clock.changed);
    this.completion = new Completion(options.cwd, { commands: () => commandNames(this), changed: this.#clock.changed });
    this.#bindings = new KeyBindings(this);
    this.#terminal = new TerminalSession(options.terminal, this.#listener());
    this.#screen = new LiveScreen(this.#terminal.size);
    const write = (drawn: Frame): void => this.#terminal.write(drawn);
    if (!options.isQuiet) this.#attention = new Attention({ write, folder: basename(options.cwd), env: process.env });
    for (const signal of endingSignals) process.on(signal, this.#onSignal);
    options.terminal.output.on('error', this.#onBrokenOutput);
    this.#lines.say(options.banner(this.#paint));
    this.controller = new ChatController(options, this);
    this.controller.begin();
    if (options.opening.agentSessionId !== undefined) this.#recallPrompts();
    this.#clock.changed();
  }

  offer(steps: readonly FirstStep[]): void {
    this.#firstSteps = steps;
    this.say(firstStepLines(steps));
  }

  takeFirstStep(prompt: string): boolean {
    const step = /^[1-9]$/.test(prompt) ? this.#firstSteps[Number(prompt) - 1] : undefined;
    if (!step || this.controller.conversation.transcript.entries.length > 0) return false;
    this.#firstSteps = [];
    this.editor.clear();
    return runCommand(this, step.command);
  }

  send(text: string): void {
    this.#note.clear();
    this.controller.send(text);
  }

  unsent(text: string): void {
    if (this.editor.isEmpty) this.editor.write(text);
  }

  stop(): void {
    const waiting = [...this.controller.conversation.queue];
    for (const { id } of waiting) this.controller.conversation.withdraw(id);
    const text = waiting.map(({ content }) => content.map(contentText).join('\n')).join('\n\n');
    if (text !== '') this.editor.write(this.editor.isEmpty ? text : `${text}\n\n${this.editor.text}`);
    void this.controller.conversation.cancel();
    this.#clock.changed();
  }

  switched(sessionId: string | undefined, introduction: Introduction | undefined): void {
    const { title = sessionId === undefined ? 'a new session' : 'another session', draft } = introduction ?? {};
    this.#lines.beginAgain();
    this.#lines.say(['', this.#paint('dim', `── ${title} ──`)]);
    if (draft !== undefined && this.editor.isEmpty) this.editor.write(draft);
    this.#recallPrompts();
  }

  /** Adds the prompts of a loaded session to the history of the arrow keys. */
  #recallPrompts(): void {
    const { conversation } = this.controller;
    const recall = (): void => {
      const users = [...conversation.transcript.entries].filter(({ type }) => type === 'user') as MessageEntry[];
      this.history.recall(users.map(messageText));
    };
    conversation.opened.then(recall, () => undefined);
  }

  say(lines: readonly string[]): void {
    this.#lines.say(['', ...lines.flatMap((line) => wrapColumns(line, this.#terminal.size.columns - 1))]);
    this.#clock.changed();
  }

  note(text: string): void {
    this.#note.show(text);
  }

  choose<Value>(choosing: Choosing<Value>): Promise<Value | undefined> {
    return choose(this.dialogs, choosing, this.#clock.changed);
  }

  confirm(question: string, labels: { readonly yes: string; readonly no: string }): Promise<boolean | undefined> {
    return this.dialogs.answer<boolean | undefined>((settle) => new Confirm(question, labels, settle));
  }

  askText(question: string): Promise<string | undefined> {
    return this.dialogs.answer((settle) => new TextQuestion(question, settle));
  }

  /** Suspends the UI during other work, and redraws afterwards. The signal asks the work to end. */
  suspendUi<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    this.#pager?.close();
    this.#terminal.write(this.#screen.clear());
    this.#terminal.release();
    return this.#suspended.during(work, () => {
      this.#terminal.reclaim();
      this.#isBack();
    });
  }

  get page(): Page {
    return { width: this.#terminal.size.columns - 1, paint: this.#paint, folder: this.controller.cwd };
  }

  copy(text: string): void {
    this.#terminal.write(copied(text));
  }

  toggleThoughts(): void {
    this.#showsThoughts = !this.#showsThoughts;
    this.note(this.#showsThoughts ? 'thoughts are now shown in full' : 'thoughts are now shown in one line');
  }

  showTranscript(): void {
    this.#openPager(
      new PagedLines(transcriptPages(() => this.controller.conversation.transcript.entries)),
      () => undefined,
    );
  }

  showDiffs(diffs: readonly Diff[]): Promise<void> {
    return new Promise((resolve) => this.#openPager(new PagedLines(diffPages(diffs)), resolve));
  }

  suspend(): void {
    this.#pager?.close();
    this.#terminal.write(this.#screen.clear());
    this.#terminal.suspend();
  }

  redraw(): void {
    this.#terminal.write(this.#screen.clear());
    this.#clock.changed();
  }

  changed(): void {
    this.#clock.changed();
  }

  /** Closes the conversation and restores the terminal. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#suspended.stop();
    this.controller.mute();
    this.#clock[Symbol.dispose]();
    this.#note[Symbol.dispose]();
    this.#pager?.close();
    this.#terminal.write(this.#lastWords());
    this.#terminal[Symbol.dispose]();
    await this.controller.close();
    await this.history.flush();
    for (const signal of endingSignals) process.off(signal, this.#onSignal);
  }

  #listener(): ConstructorParameters<typeof TerminalSession>[1] {
    return {
      key: (key) => this.#key(key),
      paste: (text) => this.#paste(text),
      focus: (hasFocus) => this.#attention?.focus(hasFocus),
      resized: () => {
        if (this.#suspended.isSuspended) return;
        if (!this.#pager) this.#terminal.write(this.#screen.resize(this.#terminal.size));
        this.#clock.changed();
      },
      resumed: () => this.#isBack(),
    };
  }

  /** Redraws after another program used the terminal. */
  #isBack(): void {
    this.#attention?.again();
    this.#clock.changed();
  }

  #key(key: Key): void {
    this.#attention?.seen();
    if (this.#pager) this.#pager.key(key);
    else this.#bindings.key(key);
    this.#clock.changed();
  }

  #paste(text: string): void {
    if (!this.#pager) this.#bindings.paste(text);
    this.#clock.changed();
  }

  #draw(): void {
    if (this.#suspended.isSuspended) return;
    if (this.#terminal.isBusy) return this.#terminal.onceFree(this.#clock.changed);
    const { isAsking } = this.dialogs;
    this.#attention?.follow(isAsking ? 'asking' : activityOf(this.controller.conversation));
    if (this.#pager)
      return this.#terminal.write(this.#pager.draw(this.#terminal.size, this.#renderOptions(true), isAsking));
    const { size } = this.#terminal;
    const now = Date.now();
    const options = this.#renderOptions(false);
    this.#lines.say(this.#failures.take(this.controller.conversation, options));
    const { lines, isAll } = this.#lines.take(this.controller.conversation.transcript, options);
    if (!isAll) this.#clock.changed();
    const view = drawChat({
      size,
      paint: this.#paint,
      scrollback: this.#lines.live(this.controller.conversation.transcript, spinnerAt(now), options),
      status: this.#status(now),
      queue: this.controller.conversation.queue,
      attachments: this.controller.attachments,
      dialog: this.dialogs.current,
      waiting: this.dialogs.waiting,
      editor: this.editor,
      completion: this.completion,
    });
    this.#terminal.write(this.#screen.draw(lines, view));
    this.#clock.spin(isMoving(this.controller.conversation));
    if (this.dialogs.wait > 0) this.#clock.later(this.dialogs.wait);
    // Load the highlighter only after the first frame that shows a ready agent.
    if (this.#paint !== plain && this.controller.conversation.state.name === 'ready')
      highlighter.load(this.#clock.changed);
  }

  #renderOptions(isExpanded: boolean): RenderOptions {
    const { terminals } = this.controller.conversation.transcript;
    return { ...this.page, terminals, now: Date.now(), isExpanded, showsThoughts: this.#showsThoughts };
  }

  #status(now: number): Parameters<typeof drawChat>[0]['status'] {
    const { state, transcript } = this.controller.conversation;
    const note = this.dialogs.wait > 0 ? 'a question: you can answer it in a moment' : this.#note.text;
    const { isAsking } = this.dialogs;
    const { mode: approval } = this.controller.permissions;
    return {
      state,
      transcript,
      note,
      isAsking,
      spinner: spinnerAt(now),
      now,
      agentName: cleanText(this.controller.agentName),
      folder: basename(this.controller.cwd),
      branch: this.#branch.at(now),
      approval,
    };
  }

  /** The final output when the chat ends: the complete transcript, and no live region. */
  #lastWords(): Frame {
    const lines = this.#lines.takeLast(this.controller.conversation.transcript, this.#renderOptions(false));
    return frame`${this.#screen.clear()}${lines.map((line) => frame`${line}\r\n`)}`;
  }

  #openPager(lines: PagedLines<object>, left: () => void): void {
    this.#pager = new Pager(lines, () => {
      this.#pager = undefined;
      this.#terminal.showAlternate(false);
      // The size may have changed meanwhile.
      this.#terminal.write(this.#screen.resize(this.#terminal.size));
      // Keys for the pager are no answers to a question that came meanwhile.
      this.dialogs.postpone();
      left();
    });
    this.#terminal.showAlternate(true);
    this.#clock.changed();
  }

  readonly #onSignal = (signal: keyof typeof signalCodes): void => {
    // While the UI is suspended, Ctrl-C is for the program that has the terminal.
    if (signal === 'SIGINT' && this.#suspended.isSuspended) return;
    if (signal === 'SIGINT') this.#key({ chord: 'ctrl-c', text: '' });
    else this.controller.leave(signalCodes[signal]);
  };

  readonly #onBrokenOutput = (): void => this.controller.leave(exitCodes.error);
}

const endingSignals = ['SIGHUP', 'SIGQUIT', 'SIGTERM', 'SIGINT'] as const;
