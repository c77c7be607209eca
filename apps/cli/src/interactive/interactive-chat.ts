import type { MessageEntry } from '@turnwire/client/transcript';
import { contentText, messageText } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import type { LivePrompt } from '@turnwire/runtime';
import { exitCodes, signalCodes } from '../exit-codes.ts';
import type { Choosing } from '../questions/choice.ts';
import type { Page } from '../terminal/page.ts';
import type { ChatActions } from './chat-actions.ts';
import { ChatController, type ChatView, type Introduction } from './chat-controller.ts';
import type { ChatOptions } from './chat-options.ts';
import { ChatScreen } from './chat-screen.ts';
import { commandNames, keysHelp, runCommand } from './commands.ts';
import { Completion } from './completion/completion.ts';
import { choose } from './dialogs/choose.ts';
import { Confirm } from './dialogs/confirm.ts';
import { OpenDialogs } from './dialogs/open-dialogs.ts';
import { TextQuestion } from './dialogs/text-question.ts';
import { Editor } from './editor.ts';
import { type FirstStep, firstStepLines } from './first-steps.ts';
import { KeyBindings } from './key-bindings.ts';
import { Keymap } from './keymap.ts';
import { diffPages, PagedLines, transcriptPages } from './paged-lines.ts';
import { PromptHistory } from './prompt-history.ts';
import { VimKeys } from './vim-keys.ts';

/** A chat with an agent, in a terminal. */
export class InteractiveChat implements ChatActions, ChatView, AsyncDisposable {
  readonly controller: ChatController;
  readonly history: PromptHistory;
  readonly editor: Editor;
  readonly vim: VimKeys | undefined;
  readonly keys: ChatActions['keys'] = keysHelp;
  readonly dialogs: OpenDialogs;
  readonly completion: Completion;
  readonly #screen: ChatScreen;
  /** The steps that the user can select by number before the first prompt. */
  #firstSteps: readonly FirstStep[] = [];

  constructor(options: ChatOptions) {
    this.history = new PromptHistory(options.promptsFile);
    this.editor = new Editor(this.history);
    this.vim = options.settings.editor === 'vim' ? new VimKeys(this.editor) : undefined;
    const bindings = new KeyBindings(this, new Keymap(options.settings.keys));
    this.#screen = new ChatScreen(options, () => this, bindings);
    const { changed } = this.#screen;
    this.dialogs = new OpenDialogs(changed);
    this.completion = new Completion(options.cwd, { commands: () => commandNames(this), changed });
    for (const signal of endingSignals) process.on(signal, this.#onSignal);
    options.terminal.output.on('error', this.#onBrokenOutput);
    this.controller = new ChatController(options, this);
    this.controller.begin();
    if (options.opening.agentSessionId !== undefined) this.#recallPrompts();
    this.changed();
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
    this.#screen.clearNote();
    this.controller.send(text);
  }

  unsent(text: string): void {
    if (this.editor.isEmpty) this.editor.write(text);
  }

  takeBack(prompt: LivePrompt): boolean {
    if (!this.controller.conversation.withdraw(prompt.id)) return false;
    const text = prompt.content.map(contentText).join('\n');
    this.editor.write(this.editor.isEmpty ? text : `${text}\n\n${this.editor.text}`);
    return true;
  }

  stop(): void {
    for (const prompt of [...this.controller.conversation.queue].toReversed()) this.takeBack(prompt);
    void this.controller.conversation.cancel();
    this.changed();
  }

  switched(sessionId: string | undefined, introduction: Introduction | undefined): void {
    const { title = sessionId === undefined ? 'a new session' : 'another session', draft } = introduction ?? {};
    this.#screen.beginSession(title);
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
    this.#screen.say(lines);
  }

  note(text: string): void {
    this.#screen.note(text);
  }

  choose<Value>(choosing: Choosing<Value>): Promise<Value | undefined> {
    return choose(this.dialogs, choosing, this.#screen.changed);
  }

  confirm(question: string, labels: { readonly yes: string; readonly no: string }): Promise<boolean | undefined> {
    return this.dialogs.answer<boolean | undefined>((settle) => new Confirm(question, labels, settle));
  }

  askText(question: string): Promise<string | undefined> {
    return this.dialogs.answer((settle) => new TextQuestion(question, settle));
  }

  suspendUi<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    return this.#screen.suspendUi(work);
  }

  get page(): Page {
    return this.#screen.page;
  }

  copy(text: string): void {
    this.#screen.copy(text);
  }

  toggleThoughts(): void {
    this.#screen.toggleThoughts();
  }

  showTranscript(): void {
    const pages = transcriptPages(() => this.controller.conversation.transcript.entries);
    void this.#screen.showPages(new PagedLines(pages));
  }

  showCalls(entry?: number): void {
    const entries = () => this.controller.conversation.transcript.entries;
    if (entries().length === 0) return this.note('there is nothing to unfold yet');
    return void this.#screen.showPages(new PagedLines(transcriptPages(entries), true, entry));
  }

  showDiffs(diffs: readonly Diff[]): Promise<void> {
    return this.#screen.showPages(new PagedLines(diffPages(diffs)));
  }

  suspend(): void {
    this.#screen.suspend();
  }

  redraw(): void {
    this.#screen.redraw();
  }

  changed(): void {
    this.#screen.changed();
  }

  /** Closes the conversation and restores the terminal. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.controller.mute();
    this.#screen[Symbol.dispose]();
    await this.controller.close();
    await this.history.flush();
    for (const signal of endingSignals) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: keyof typeof signalCodes): void => {
    // While the UI is suspended, Ctrl-C is for the program that has the terminal.
    if (signal === 'SIGINT' && this.#screen.isSuspended) return;
    if (signal === 'SIGINT') this.#screen.key({ chord: 'ctrl-c', text: '' });
    else this.controller.leave(signalCodes[signal]);
  };

  readonly #onBrokenOutput = (): void => this.controller.leave(exitCodes.error);
}

const endingSignals = ['SIGHUP', 'SIGQUIT', 'SIGTERM', 'SIGINT'] as const;
