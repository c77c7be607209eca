import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';
import { fileURLToPath } from 'node:url';
import { startInTerminal } from '../../../../tools/test/pseudo-terminal.ts';
import { within } from '../../../../tools/pace.ts';
import { commandWords } from '../command.ts';
import { usersEnvironment } from '../terminal.ts';

/** A run of the command in a terminal emulator. */
export interface Emulator {
  /** The lines on the screen, without spaces at their ends; empty ones at the bottom are left out. */
  readonly screen: readonly string[];
  /** The same with what has scrolled away. */
  readonly everything: readonly string[];
  /** Everything the terminal was sent. */
  readonly sent: string;
  readonly exitCode: Promise<number>;
  /** Which modes are on. */
  readonly modes: { readonly bracketedPaste: boolean; readonly alternate: boolean; readonly wraparound: boolean };
  /** The line and the column the cursor is at, from 0. */
  readonly cursor: readonly [number, number];
  readonly pid: number;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves with the screen once all of a frame is drawn and it fits; rejects, with the screen, when the program ends before. */
  until(fits: string | ((screen: readonly string[]) => boolean)): Promise<readonly string[]>;
}

/** What the terminal is like. */
export interface EmulatorOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly colour?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** More words for the command. */
  readonly words?: readonly string[];
  /** What to run in place of the command. */
  readonly program?: readonly [string, ...string[]];
}

export const keys = {
  enter: '\r',
  escape: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  shiftTab: '\u001b[Z',
  pageUp: '\u001b[5~',
  pageDown: '\u001b[6~',
  ctrl: (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96),
  paste: (text: string): string => `\u001b[200~${text}\u001b[201~`,
} as const;

/** A frame is drawn between these two. What a terminal was sent so far may end within one. */
const frame = { begin: '\u001b[?2026h', end: '\u001b[?2026l' };

/** The time limit for a screen, in milliseconds. It is shorter than that of a test, so that the error shows the screen. */
const longest = within(25_000);

/** A command line for `--agent`: the agent that offers everything there is to see. */
export function showyAgent(...words: readonly string[]): string {
  const path = fileURLToPath(new URL('../fixtures/interactive-agent.mjs', import.meta.url));
  return [process.execPath, path, ...words].map((word) => `'${word}'`).join(' ');
}

/** Starts the command in an emulator; it is killed if it outlives the test. */
export function inEmulator(words: readonly string[], options: EmulatorOptions = {}): Emulator {
  const { columns = 80, rows = 24, colour = false } = options;
  const [file, ...rest] = options.program ?? [process.execPath, ...commandWords, ...words];
  const env: Record<string, string> = {
    ...usersEnvironment(),
    TERM: 'xterm-256color',
    ...(colour ? {} : { NO_COLOR: '1' }),
    ...options.env,
  };
  const pty = startInTerminal(file, [...rest], {
    cols: columns,
    rows,
    name: env['TERM'] === 'dumb' ? 'dumb' : 'xterm-256color',
    env,
  });
  onTestFinished(() => pty.kill('SIGKILL'));
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 200_000, allowProposedApi: true });
  let sent = '';
  let hasEnded = false;
  let isWhole = true;
  let changed = (): void => undefined;
  terminal.onData((answer) => pty.write(answer));
  pty.onData((data) => {
    sent += data;
    const endsWhole = sent.lastIndexOf(frame.end) >= sent.lastIndexOf(frame.begin);
    terminal.write(data, () => {
      isWhole = endsWhole;
      changed();
    });
  });
  const exitCode = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode: code, signal }) => {
      // What it printed last may still be on its way through the emulator.
      terminal.write('', () => {
        hasEnded = true;
        resolve(signal ? 128 + signal : code);
        changed();
      });
    });
  });
  const linesFrom = (first: number): string[] => {
    const { active } = terminal.buffer;
    const lines: string[] = [];
    for (let row = first; row < active.length; row++)
      lines.push((active.getLine(row)?.translateToString(true) ?? '').trimEnd());
    while (lines.at(-1) === '') lines.pop();
    return lines;
  };
  const screen = (): string[] => linesFrom(terminal.buffer.active.baseY);
  const until: Emulator['until'] = async (fits) => {
    const fitting = typeof fits === 'string' ? (lines: readonly string[]) => lines.join('\n').includes(fits) : fits;
    const test = (lines: readonly string[]): boolean => (isWhole || hasEnded) && fitting(lines);
    const tooLate = (): Error => new Error(`The screen does not become as ${String(fits)}:\n${screen().join('\n')}`);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      changed();
    }, longest);
    while (!test(screen()) && !hasEnded && !isLate) await new Promise<void>((resolve) => (changed = resolve));
    clearTimeout(timer);
    if (!test(screen())) throw tooLate();
    return screen();
  };
  return {
    get screen() {
      return screen();
    },
    get everything() {
      return linesFrom(0);
    },
    get sent() {
      return sent;
    },
    get modes() {
      const { bracketedPasteMode, wraparoundMode } = terminal.modes;
      return {
        bracketedPaste: bracketedPasteMode,
        alternate: terminal.buffer.active.type === 'alternate',
        wraparound: wraparoundMode,
      };
    },
    get cursor() {
      return [terminal.buffer.active.cursorY, terminal.buffer.active.cursorX] as const;
    },
    pid: pty.pid,
    exitCode,
    type: (text) => pty.write(text),
    resize: (width, height) => {
      pty.resize(width, height);
      terminal.resize(width, height);
    },
    until,
  };
}

/** Begins a chat with the agent that offers everything, and waits until its session is there. */
export async function beginChat(folder: string, options: EmulatorOptions = {}): Promise<Emulator> {
  const run = inEmulator(['--agent', showyAgent(), '--cwd', folder, ...(options.words ?? [])], options);
  await run.until('Ask first');
  return run;
}
