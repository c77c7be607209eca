import { basename } from 'node:path';
import { cleanText } from '../terminal/clean-text.ts';
import { type Frame, frame } from '../terminal/frame.ts';
import { highlighter } from '../terminal/highlighter.ts';
import type { Page } from '../terminal/page.ts';
import { lightBackground, type Paint, plain } from '../terminal/paint.ts';
import { wrapColumns } from '../terminal/text-width.ts';
import { activityOf, Attention } from './attention.ts';
import { BranchName } from './branch-name.ts';
import type { ChatController } from './chat-controller.ts';
import { ChatLines } from './chat-lines.ts';
import type { ChatSettings } from '../config/config.ts';
import type { ChatOptions } from './chat-options.ts';
import { drawChat } from './chat-view.ts';
import { copied } from './clipboard.ts';
import type { Completion } from './completion/completion.ts';
import type { OpenDialogs } from './dialogs/open-dialogs.ts';
import type { Editor } from './editor.ts';
import type { RenderOptions } from './entries/render-options.ts';
import { FailureReports } from './failure-reports.ts';
import { FrameClock, spinnerAt } from './frame-clock.ts';
import type { Key } from './key.ts';
import type { KeyListener } from './key-reader.ts';
import { LiveScreen } from './live-screen.ts';
import type { PagedLines } from './paged-lines.ts';
import { Pager } from './pager.ts';
import { isMoving, type Status } from './status-line.ts';
import { SuspendedUi } from './suspended-ui.ts';
import { TemporaryNote } from './temporary-note.ts';
import type { VimKeys } from './vim-keys.ts';
import { TerminalSession } from './terminal-session.ts';

/** The parts of a chat that the screen shows. */
interface ShownChat {
  readonly controller: ChatController;
  readonly dialogs: OpenDialogs;
  readonly editor: Editor;
  readonly vim: VimKeys | undefined;
  readonly completion: Completion;
}

/** The screen of a chat: the transcript, the live region below it, and the pager. Draws them, and reads keys. */
export class ChatScreen implements Disposable {
  readonly #chat: () => ShownChat;
  readonly #input: Pick<KeyListener, 'key' | 'paste'>;
  readonly #cwd: string;
  readonly #paint: Paint;
  readonly #clock: FrameClock;
  readonly #terminal: TerminalSession;
  readonly #live: LiveScreen;
  readonly #note: TemporaryNote;
  readonly #attention: Attention | undefined;
  readonly #suspended: SuspendedUi = new SuspendedUi();
  readonly #settings: ChatSettings;
  readonly #branch: BranchName;
  readonly #lines = new ChatLines();
  readonly #failures = new FailureReports();
  #showsThoughts = false;
  #pager: Pager | undefined;

  /** @param chat called for each frame, so that the chat may be created after its screen */
  constructor(
    {
      terminal,
      cwd,
      isQuiet,
      banner,
      settings,
    }: Pick<ChatOptions, 'terminal' | 'cwd' | 'isQuiet' | 'banner' | 'settings'>,
    chat: () => ShownChat,
    input: Pick<KeyListener, 'key' | 'paste'>,
  ) {
    this.#chat = chat;
    this.#input = input;
    this.#cwd = cwd;
    this.#settings = settings;
    lightBackground.isOn = settings.theme === 'light';
    this.#branch = new BranchName(cwd);
    this.#paint = terminal.output.paint;
    this.#clock = new FrameClock(() => this.#draw());
    this.#note = new TemporaryNote(this.#clock.changed);
    this.#terminal = new TerminalSession(terminal, this.#listener());
    this.#live = new LiveScreen(this.#terminal.size);
    const write = (drawn: Frame): void => this.#terminal.write(drawn);
    if (!isQuiet) this.#attention = new Attention({ write, folder: basename(cwd), env: process.env });
    this.#lines.say(banner(this.#paint));
  }

  get page(): Page {
    return { width: this.#terminal.size.columns - 1, paint: this.#paint, folder: this.#cwd };
  }

  get isSuspended(): boolean {
    return this.#suspended.isSuspended;
  }

  /** Requests a redraw after a change. */
  readonly changed = (): void => this.#clock.changed();

  /** Passes a key to the pager if it is open, otherwise to the chat. */
  key(key: Key): void {
    this.#attention?.seen();
    if (this.#pager) this.#pager.key(key);
    else this.#input.key(key);
    this.changed();
  }

  say(lines: readonly string[]): void {
    this.#lines.say(['', ...lines.flatMap((line) => wrapColumns(line, this.#terminal.size.columns - 1))]);
    this.changed();
  }

  note(text: string): void {
    this.#note.show(text);
  }

  clearNote(): void {
    this.#note.clear();
  }

  /** Starts the transcript of another session below a title. */
  beginSession(title: string): void {
    this.#lines.beginAgain();
    this.#lines.say(['', this.#paint('dim', `── ${title} ──`)]);
  }

  copy(text: string): void {
    this.#terminal.write(copied(text));
  }

  toggleThoughts(): void {
    this.#showsThoughts = !this.#showsThoughts;
    this.note(this.#showsThoughts ? 'thoughts are now shown in full' : 'thoughts are now shown in one line');
  }

  /** Shows lines in the pager. Resolves when the user has closed it. */
  showPages(lines: PagedLines<object>): Promise<void> {
    return new Promise((resolve) => {
      this.#pager = new Pager(lines, () => {
        this.#pager = undefined;
        this.#terminal.showAlternate(false);
        // The size may have changed while the pager was open.
        this.#terminal.write(this.#live.resize(this.#terminal.size));
        // Keys for the pager must not answer a question that appeared while it was open.
        this.#chat().dialogs.postpone();
        resolve();
      });
      this.#terminal.showAlternate(true);
      this.changed();
    });
  }

  /** Suspends the UI during other work, and redraws afterwards. The signal asks the work to end. */
  suspendUi<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    this.#pager?.close();
    this.#terminal.write(this.#live.clear());
    this.#terminal.release();
    return this.#suspended.during(work, () => {
      this.#terminal.reclaim();
      this.#resume();
    });
  }

  /** Stops the program, as Ctrl-Z does. */
  suspend(): void {
    this.#pager?.close();
    this.#terminal.write(this.#live.clear());
    this.#terminal.suspend();
  }

  /** Redraws the live region. */
  redraw(): void {
    this.#terminal.write(this.#live.clear());
    this.changed();
  }

  /** Prints the complete transcript without the live region, and restores the terminal. */
  [Symbol.dispose](): void {
    this.#suspended.stop();
    this.#clock[Symbol.dispose]();
    this.#note[Symbol.dispose]();
    this.#pager?.close();
    const lines = this.#lines.takeLast(this.#chat().controller.conversation.transcript, this.#renderOptions(false));
    this.#terminal.write(frame`${this.#live.clear()}${lines.map((line) => frame`${line}\r\n`)}`);
    this.#terminal[Symbol.dispose]();
  }

  #listener(): ConstructorParameters<typeof TerminalSession>[1] {
    return {
      key: (key) => this.key(key),
      paste: (text) => {
        if (!this.#pager) this.#input.paste(text);
        this.changed();
      },
      focus: (hasFocus) => this.#attention?.focus(hasFocus),
      replied: (reply) => {
        if (reply.about !== 'background' || (this.#settings.theme ?? 'auto') !== 'auto') return;
        lightBackground.isOn = reply.isLight;
        this.changed();
      },
      resized: () => {
        if (this.isSuspended) return;
        if (!this.#pager) this.#terminal.write(this.#live.resize(this.#terminal.size));
        this.changed();
      },
      resumed: () => this.#resume(),
    };
  }

  /** Redraws after another program used the terminal. */
  #resume(): void {
    this.#attention?.again();
    this.changed();
  }

  #draw(): void {
    if (this.isSuspended) return;
    if (this.#terminal.isBusy) return this.#terminal.onceFree(this.changed);
    const { controller, dialogs, editor, completion } = this.#chat();
    const { conversation, attachments } = controller;
    const { size } = this.#terminal;
    this.#attention?.follow(dialogs.isAsking ? 'asking' : activityOf(conversation));
    if (this.#pager) return this.#terminal.write(this.#pager.draw(size, this.#renderOptions(true), dialogs.isAsking));
    const now = Date.now();
    const options = this.#renderOptions(false);
    this.#lines.say(this.#failures.take(conversation, options));
    const { lines, isAll } = this.#lines.take(conversation.transcript, options);
    if (!isAll) this.changed();
    const view = drawChat({
      size,
      paint: this.#paint,
      scrollback: this.#lines.live(conversation.transcript, spinnerAt(now), options),
      status: this.#status(now),
      queue: conversation.queue,
      attachments,
      dialog: dialogs.current,
      waiting: dialogs.waiting,
      editor,
      completion,
    });
    this.#terminal.write(this.#live.draw(lines, view));
    this.#clock.spin(isMoving(conversation));
    if (dialogs.wait > 0) this.#clock.later(dialogs.wait);
    // Load the highlighter only after the first frame that shows a ready agent.
    if (this.#paint !== plain && conversation.state.name === 'ready') highlighter.load(this.changed);
  }

  #renderOptions(isExpanded: boolean): RenderOptions {
    const { terminals } = this.#chat().controller.conversation.transcript;
    return { ...this.page, terminals, now: Date.now(), isExpanded, showsThoughts: this.#showsThoughts };
  }

  #status(now: number): Status {
    const { controller, dialogs, vim } = this.#chat();
    const { state, transcript } = controller.conversation;
    return {
      state,
      transcript,
      note: dialogs.wait > 0 ? 'a question: you can answer it in a moment' : this.#note.text,
      isAsking: dialogs.isAsking,
      spinner: spinnerAt(now),
      now,
      agentName: cleanText(controller.agentName),
      folder: basename(this.#cwd),
      branch: this.#branch.at(now),
      approval: controller.permissions.mode,
      shown: this.#settings.statusLine,
      editorMode: vim?.mode,
    };
  }
}
