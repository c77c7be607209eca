import { spawn } from '@lydell/node-pty';
import xterm, { type IBufferCell } from '@xterm/headless';

/** Adjacent characters of a line with the same style. */
export interface Run {
  readonly column: number;
  /** How many columns they take. */
  readonly width: number;
  readonly text: string;
  /** A colour as `#rrggbb`, or the number of one of the 16 colours that each terminal defines; undefined for the colour of text. */
  readonly colour?: string | number | undefined;
  readonly background?: string | number | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly underlined: boolean;
}

/** A screen of a terminal: its lines, from the top. */
type Screen = readonly (readonly Run[])[];

/** One picture of a recording, and how long it is shown, in milliseconds. */
export interface Frame {
  readonly screen: Screen;
  readonly shown: number;
}

/** Records pictures of the screen of a program in a terminal. Callers set how long a picture is shown; it does not depend on the program. */
export class TerminalRecording implements Disposable {
  readonly frames: Frame[] = [];
  readonly #terminal: xterm.Terminal;
  readonly #program: ReturnType<typeof spawn>;
  #changed = Date.now();

  constructor(
    command: readonly [string, ...string[]],
    options: {
      readonly columns: number;
      readonly rows: number;
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    },
  ) {
    const { columns, rows, env, cwd } = options;
    const [file, ...args] = command;
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.#program = spawn(file, args, {
      cols: columns,
      rows,
      name: 'xterm-256color',
      cwd,
      env: { ...env, TERM: 'xterm-256color' },
    });
    this.#terminal.onData((answer) => this.#program.write(answer));
    this.#program.onData((data) => this.#terminal.write(data, () => void (this.#changed = Date.now())));
  }

  /** Types like a user, and takes a picture after each key. */
  async type(text: string, perKey = 45): Promise<void> {
    for (const key of text) {
      const before = this.text;
      this.#program.write(key);
      await this.#until(() => this.text !== before);
      this.#keep(perKey);
    }
  }

  press(key: string): void {
    this.#program.write(key);
  }

  /** Waits until the screen has a text and stops changing, and takes a picture of it. */
  async show(text: string, shown: number): Promise<void> {
    await this.#until(() => this.text.includes(text) && Date.now() - this.#changed > 700);
    this.#keep(shown);
  }

  get text(): string {
    return this.#lines()
      .map((line) => line.translateToString(true))
      .join('\n');
  }

  [Symbol.dispose](): void {
    this.#program.kill('SIGKILL');
  }

  async #until(isDone: () => boolean): Promise<void> {
    const end = Date.now() + 20_000;
    while (!isDone()) {
      if (Date.now() > end) throw new Error(`The expected text did not appear on the screen:\n${this.text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #keep(shown: number): void {
    this.frames.push({ screen: this.#lines().map((line) => runsOf(line, this.#terminal.cols)), shown });
  }

  #lines(): xterm.IBufferLine[] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.#terminal.rows }, (_, row) => active.getLine(active.baseY + row)).filter(
      (line) => line !== undefined,
    );
  }
}

function runsOf(line: xterm.IBufferLine, columns: number): readonly Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = line.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const run = { column, width: cell.getWidth(), text: cell.getChars() || ' ', ...styleOf(cell) };
    const last = runs.at(-1);
    if (last && styleKey(last) === styleKey(run))
      runs[runs.length - 1] = { ...last, text: last.text + run.text, width: last.width + run.width };
    else runs.push(run);
  }
  return runs.filter(({ text, background }) => text.trim() !== '' || background !== undefined);
}

const styleKey = ({ colour, background, bold, dim, underlined }: Run): string =>
  JSON.stringify([colour ?? -1, background ?? -1, bold, dim, underlined]);

function styleOf(cell: IBufferCell): Omit<Run, 'column' | 'width' | 'text'> {
  const colour = cell.isFgDefault() ? undefined : colourOf(cell.getFgColor(), cell.isFgRGB());
  const background = cell.isBgDefault() ? undefined : colourOf(cell.getBgColor(), cell.isBgRGB());
  const isInverse = cell.isInverse() !== 0;
  return {
    colour: isInverse ? (background ?? 0) : colour,
    background: isInverse ? (colour ?? 7) : background,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    underlined: cell.isUnderline() !== 0,
  };
}

/** The palette of 256 has 16 colours, a cube with 6 steps a side, and 24 greys. */
function colourOf(value: number, isRgb: boolean): string | number {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  if (value < 16) return value;
  if (value >= 232) return hex([8, 8, 8].map((base) => base + 10 * (value - 232)));
  const index = value - 16;
  return hex(
    [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((step) => (step === 0 ? 0 : 55 + 40 * step)),
  );
}

const hex = (parts: readonly number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
