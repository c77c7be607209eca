import { type Frame, frame } from '../terminal/frame.ts';
import type { Terminal } from '../terminal/lines.ts';
import type { Size } from './drawing.ts';
import { type KeyListener, KeyReader } from './key-reader.ts';
import { terminalQuestions } from './terminal-replies.ts';

const bracketedPaste = { on: frame`\u001b[?2004h`, off: frame`\u001b[?2004l` };
/** Turns on focus reports, and saves the window title to restore it when the chat ends. */
const focusReports = { on: frame`\u001b[?1004h`, off: frame`\u001b[?1004l` };
const ownTitle = { on: frame`\u001b[22;2t`, off: frame`\u001b[23;2t` };
/** The terminal then reports keys with modifiers separately, such as Shift-Enter. Turned on once the terminal says that it has the protocol. */
const kittyKeyboard = { on: frame`\u001b[>1u`, off: frame`\u001b[<u` };
const alternate = { on: frame`\u001b[?1049h`, off: frame`\u001b[?1049l` };
/** Ends an incomplete frame, and resets styles, the hidden cursor and disabled wrapping. */
const plainModes = frame`\u001b[?2026l\u001b[0m\u001b[?7h\u001b[?25h`;

/** The callbacks of a terminal. */
export interface TerminalListener extends KeyListener {
  /** Called when the size has changed, or another program may have drawn on the screen. */
  resized(): void;
  /** Called when the program continues after Ctrl-Z. */
  resumed(): void;
}

/**
 * A terminal in raw mode. It is always restored: at a normal end, on an exception, when a signal ends the program, and while the program is
 * stopped with Ctrl-Z.
 */
export class TerminalSession implements Disposable {
  readonly #terminal: Terminal;
  readonly #listener: TerminalListener;
  readonly #keys: KeyReader;
  readonly #stopHearing: () => void;
  #isRaw = false;
  #isAlternate = false;
  #isSuspended = false;
  #hasKittyKeyboard = false;

  constructor(terminal: Terminal, listener: TerminalListener) {
    this.#terminal = terminal;
    this.#listener = listener;
    this.#keys = new KeyReader({
      key: (key) => listener.key(key),
      paste: (text) => listener.paste(text),
      focus: (hasFocus) => listener.focus?.(hasFocus),
      replied: (reply) => {
        if (reply.about === 'kitty-keyboard') this.#useKittyKeyboard();
        listener.replied?.(reply);
      },
    });
    this.#takeOver();
    terminal.input.on('data', this.#onData);
    this.#stopHearing = terminal.output.on('resize', this.#onResize);
    process.on('SIGCONT', this.#onContinue);
    process.on('exit', this.#onExit);
    process.on('uncaughtExceptionMonitor', this.#onExit);
  }

  get size(): Size {
    const { columns, rows } = this.#terminal.output.size ?? { columns: 0, rows: 0 };
    // A terminal that does not know its size reports 0.
    return { columns: Math.max(10, columns || 80), rows: Math.max(4, rows || 24) };
  }

  /** Whether written output is still buffered, for example on a slow connection. */
  get isBusy(): boolean {
    return this.#terminal.output.isBusy;
  }

  /** Calls back once all written output has been accepted. */
  onceFree(callback: () => void): void {
    const off = this.#terminal.output.on('drain', () => {
      off();
      callback();
    });
  }

  write(drawn: Frame): void {
    this.#terminal.output.draw(drawn);
  }

  /** Switches to the alternate screen, which has no scrollback, or back. */
  showAlternate(isShown: boolean): void {
    if (isShown === this.#isAlternate) return;
    this.#isAlternate = isShown;
    this.write(isShown ? alternate.on : alternate.off);
  }

  /** Stops the program, as Ctrl-Z does, until the shell continues it. */
  suspend(): void {
    this.write(this.#giveBack());
    // Stop the whole process group, so that a parent such as npx stops too and the shell takes over.
    process.kill(0, 'SIGTSTP');
    // Do not stop without job control, because nothing would continue the program.
    setTimeout(this.#onContinue, 100);
  }

  /** Restores the terminal for another program, until {@link reclaim}. */
  release(): void {
    this.#isSuspended = true;
    this.write(this.#giveBack());
    this.#terminal.input.pause();
  }

  /** Continues after {@link release}. */
  reclaim(): void {
    this.#isSuspended = false;
    this.#takeOver();
  }

  [Symbol.dispose](): void {
    const { input } = this.#terminal;
    input.off('data', this.#onData);
    this.#stopHearing();
    process.off('SIGCONT', this.#onContinue);
    process.off('exit', this.#onExit);
    process.off('uncaughtExceptionMonitor', this.#onExit);
    this.write(this.#giveBack());
    input.pause();
  }

  #takeOver(): void {
    this.#isRaw = true;
    this.#terminal.input.setRawMode(true).resume();
    this.write(frame`${bracketedPaste.on}${focusReports.on}${ownTitle.on}${terminalQuestions()}`);
  }

  /** Restores the terminal; returns what to write for it. */
  #giveBack(): Frame {
    if (!this.#isRaw) return frame``;
    this.#isRaw = false;
    this.#terminal.input.setRawMode(false);
    const left = this.#isAlternate ? alternate.off : '';
    this.#isAlternate = false;
    const keyboard = this.#hasKittyKeyboard ? kittyKeyboard.off : '';
    this.#hasKittyKeyboard = false;
    return frame`${plainModes}${left}${keyboard}${ownTitle.off}${focusReports.off}${bracketedPaste.off}`;
  }

  #useKittyKeyboard(): void {
    if (!this.#isRaw || this.#hasKittyKeyboard) return;
    this.#hasKittyKeyboard = true;
    this.write(kittyKeyboard.on);
  }

  readonly #onData = (bytes: Buffer): void => this.#keys.push(bytes);

  readonly #onResize = (): void => this.#listener.resized();

  readonly #onContinue = (): void => {
    if (this.#isRaw || this.#isSuspended) return;
    this.#takeOver();
    this.#listener.resumed();
  };

  /** Restores the terminal when the process exits, which requires synchronous writes. */
  readonly #onExit = (): void => {
    try {
      const given = this.#giveBack();
      if (!given.isEmpty) this.#terminal.output.drawNow(frame`${given}\r\n`);
    } catch {
      // The terminal is gone.
    }
  };
}
