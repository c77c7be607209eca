import { exitCodes } from '../exit-codes.ts';
import { explain } from '../failure.ts';
import { imagesNamedBy } from './attachments.ts';
import type { ChatActions } from './chat-actions.ts';
import { runCommand, unknownCommand } from './commands.ts';
import { editElsewhere } from './edit-elsewhere.ts';
import type { Key } from './key.ts';
import type { Keymap } from './keymap.ts';
import { openShell, runInTerminal, runShellLine } from './run-shell-line.ts';
import { steerNow } from './running-work.ts';
import { ModeCycle } from './mode-cycle.ts';
import { forksOf } from '@turnwire/client/extensions';
import { cleanLine } from '../terminal/clean-text.ts';

/** The keys of a chat. */
export class KeyBindings {
  readonly #chat: ChatActions;
  readonly #keymap: Keymap;
  /** The last key if it was Ctrl-C, Ctrl-D or Esc: pressing it again does more. */
  #pressedOnce: string | undefined;
  readonly #modes: ModeCycle;
  /** An unsent prompt with an unknown command: Enter again sends it. */
  #doubtful: string | undefined;

  constructor(chat: ChatActions, keymap: Keymap) {
    this.#chat = chat;
    this.#keymap = keymap;
    this.#modes = new ModeCycle(chat);
  }

  key(pressed: Key): void {
    const before = this.#pressedOnce;
    this.#pressedOnce = undefined;
    // Questions have fixed keys.
    const key = this.#chat.dialogs.current ? pressed : this.#keymap.mapped(pressed);
    if (key === undefined) return;
    if (key.chord === 'ctrl-z') return this.#chat.suspend();
    if (key.chord === 'ctrl-l') return this.#chat.redraw();
    if (key.chord === 'ctrl-c') return this.#interrupt(before === key.chord);
    // Also while a question is open, because the transcript may help to answer it.
    if (key.chord === 'ctrl-o') return this.#chat.showTranscript();
    const { dialogs } = this.#chat;
    if (!dialogs.current) return this.#editorKey(key, before === key.chord);
    if (dialogs.wait === 0) return dialogs.key(key);
    // Keys typed ahead belong to the prompt in the editor, never to a question that has just appeared.
    dialogs.postpone();
    if (key.text !== '') this.#chat.editor.key(key);
  }

  paste(text: string): void {
    const { dialogs, editor, completion, controller } = this.#chat;
    if (dialogs.current && dialogs.wait === 0) return dialogs.paste(text);
    const images = imagesNamedBy(text, controller.cwd);
    if (images.length > 0) return controller.attachments.add(...images);
    editor.paste(text);
    completion.follow(editor.edit);
  }

  /** Ctrl-C cancels the running turn; the second press leaves. */
  #interrupt(isSecond: boolean): void {
    const { editor, dialogs } = this.#chat;
    const { conversation } = this.#chat.controller;
    const isStopping = conversation.state.name === 'cancelling';
    if (isSecond || isStopping) return this.#chat.controller.leave(exitCodes.interrupted);
    if (conversation.state.name === 'working') return this.#chat.stop();
    if (dialogs.current) return dialogs.key({ chord: 'escape', text: '' });
    if (!editor.isEmpty) {
      this.#chat.editor.take();
      this.#chat.completion.follow(this.#chat.editor.edit);
      this.#chat.changed();
      return;
    }
    this.#pressedOnce = 'ctrl-c';
    this.#chat.note('Ctrl-C again leaves');
  }

  #editorKey(key: Key, isSecond: boolean): void {
    const { completion, editor } = this.#chat;
    if (this.#completionKey(key)) return;
    if (this.#chat.vim?.key(key)) return completion.follow(editor.edit);
    const action = this.#actions[key.chord];
    if (action) return action(isSecond);
    if (key.chord === 'return' && editor.edit.text[editor.edit.cursor - 1] !== '\\') return this.#submit();
    if (key.chord === 'up' && this.#editLastQueued()) return;
    if (!editor.key(key)) return;
    completion.follow(editor.edit);
    // The key recalled an earlier prompt, so the next arrow key must recall the one before it.
    if (key.chord === 'up' || key.chord === 'down') completion.dismiss();
  }

  readonly #actions: Readonly<Record<string, ((isSecond: boolean) => void) | undefined>> = {
    escape: (isSecond) => this.#escape(isSecond),
    'ctrl-d': (isSecond) => this.#endOfInput(isSecond),
    'ctrl-g': () => void this.#editElsewhere(),
    'ctrl-v': () => void this.#attachClipboard(),
    'ctrl-r': () => void this.#searchPrompts(),
    'ctrl-t': () => this.#chat.toggleThoughts(),
    'ctrl-x': () => void runCommand(this.#chat, '/running'),
    'shift-tab': () => this.#modes.next(),
    tab: () => void (this.#chat.editor.isEmpty && this.#chat.showCalls()),
  };

  /** Returns true if the key was for the suggestions. */
  #completionKey(key: Key): boolean {
    const { completion, editor } = this.#chat;
    const { chosen } = completion;
    if (!chosen) return false;
    if (key.chord === 'escape') completion.dismiss();
    else if (key.chord === 'tab' || key.chord === 'return') {
      editor.complete(chosen.part, key.chord === 'tab' ? (chosen.tabText ?? chosen.text) : chosen.text);
      completion.follow(editor.edit);
      if (key.chord === 'return' && chosen.isWhole) this.#submit();
    } else return completion.move(key);
    return true;
  }

  #submit(): void {
    const { editor, completion } = this.#chat;
    const { attachments } = this.#chat.controller;
    const isEmpty = editor.text.trim() === '' && attachments.list.length + attachments.texts.length === 0;
    if (isEmpty) return void this.#sendNow();
    if (this.#chat.takeFirstStep(editor.text.trim())) return completion.follow(editor.edit);
    const unknown = unknownCommand(this.#chat, editor.text);
    if (unknown !== undefined && this.#doubtful !== editor.text) {
      this.#doubtful = editor.text;
      return this.#chat.note(`there is no command /${unknown}; Enter again sends it to the agent`);
    }
    const text = editor.take();
    this.#chat.vim?.reset();
    completion.follow(editor.edit);
    if (text.trim() === '!') return void openShell(this.#chat);
    const [, mark, line] = /^(!!?)\s*(\S[^]*)$/.exec(text.trim()) ?? [];
    if (line !== undefined) return void (mark === '!!' ? runInTerminal : runShellLine)(this.#chat, line);
    if (!runCommand(this.#chat, text)) this.#chat.send(text);
  }

  /** Stops the turn. Without a turn and a text, the second press edits an earlier prompt. */
  #escape(isSecond: boolean): void {
    const { controller, editor } = this.#chat;
    const { name } = controller.conversation.state;
    if (name === 'working') return this.#chat.stop();
    if (name === 'cancelling') return void this.#offerRestart();
    if (name !== 'ready' || !editor.isEmpty) return;
    if (isSecond) return void this.#editEarlier();
    this.#pressedOnce = 'escape';
    this.#chat.note('Esc again goes back to an earlier prompt');
  }

  /** Goes back to before a prompt, which returns to the editor. An agent that cannot go back gets the prompt again. */
  async #editEarlier(): Promise<void> {
    const forks = forksOf(this.#chat.controller.conversation.agent?.capabilities);
    if (forks?.withoutLast) runCommand(this.#chat, '/rewind');
    else await this.#searchPrompts();
  }

  async #offerRestart(): Promise<void> {
    const labels = { yes: 'Restart it', no: 'Keep waiting' };
    const question = 'The agent has not stopped yet. Restart it? The session is restored if the agent can do that.';
    if (await this.#chat.confirm(question, labels)) this.#chat.controller.restart();
  }

  /** Sends the first queued prompt into the running turn, if the agent supports that. */
  async #sendNow(): Promise<void> {
    const { conversation } = this.#chat.controller;
    const [first] = conversation.queue;
    if (conversation.state.name !== 'working' || !first) return;
    if (!conversation.steer) return this.#offerNow();
    await steerNow(this.#chat, first);
  }

  /** Cancels the turn for the queued prompt, if the user confirms. */
  async #offerNow(): Promise<void> {
    const { conversation } = this.#chat.controller;
    const labels = { yes: 'Stop the turn, and send it now', no: 'Let it wait' };
    const isYes = await this.#chat.confirm('Send the queued prompt now?', labels);
    if (isYes && conversation.queue.length > 0) conversation.cancel();
  }

  async #editElsewhere(): Promise<void> {
    const { editor, completion } = this.#chat;
    try {
      const text = await this.#chat.suspendUi((signal) => editElsewhere(editor.text, signal));
      if (text === undefined) return this.#chat.note('the editor failed: the prompt is unchanged');
      editor.write(text);
      completion.follow(editor.edit);
    } catch (error) {
      this.#chat.note(explain(error));
    }
  }

  async #attachClipboard(): Promise<void> {
    const { attachments, cwd } = this.#chat.controller;
    const reason = await attachments.addFromClipboard(cwd).catch((error: unknown) => explain(error));
    if (reason === undefined) this.#chat.changed();
    else this.#chat.note(clipboardNotes[reason] ?? reason);
  }

  /** Searches the earlier prompts, starting with the text in the editor. */
  async #searchPrompts(): Promise<void> {
    const { history, editor } = this.#chat;
    const choices = history.prompts.toReversed().map((text) => ({ label: cleanLine(text.slice(0, 500)), value: text }));
    if (choices.length === 0) return this.#chat.note('there are no earlier prompts');
    const search = cleanLine(editor.text.slice(0, 200));
    const text = await this.#chat.choose({ title: 'Earlier prompts', choices, search, keepsOrder: true });
    if (text !== undefined) editor.write(text);
  }

  #endOfInput(isSecond: boolean): void {
    const { editor, completion } = this.#chat;
    const { conversation } = this.#chat.controller;
    if (!editor.isEmpty) {
      editor.key({ chord: 'delete', text: '' });
      return completion.follow(editor.edit);
    }
    const isBusy = conversation.state.name === 'working' || conversation.state.name === 'cancelling';
    if (!isBusy || isSecond) return this.#chat.controller.leave(exitCodes.ok);
    this.#pressedOnce = 'ctrl-d';
    this.#chat.note('a turn runs; Ctrl-D again stops it and leaves');
  }

  /** If the editor is empty, the last queued prompt returns to it. */
  #editLastQueued(): boolean {
    const { editor } = this.#chat;
    const last = this.#chat.controller.conversation.queue.at(-1);
    return editor.isEmpty && last !== undefined && this.#chat.takeBack(last);
  }
}

const clipboardNotes: Readonly<Record<string, string | undefined>> = {
  'no-program': 'no program that reads images from the clipboard is installed: wl-paste, xclip or pngpaste',
  'no-image': 'there is no image in the clipboard',
};
