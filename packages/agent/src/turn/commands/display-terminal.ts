import type { OpenToolCall } from '../tool-report.ts';
import { OutputEnd } from './output-end.ts';

/** Milliseconds of output that are told together, and how many UTF-16 units of it at most: a flood is cut, not piled up. */
const pause = 100;
const longest = 64 * 1024;

/** Bytes of the end that are stored while it runs. */
const storedEnd = 4 * 1024;

/** What a display terminal needs to know. */
export interface DisplayTerminalParts {
  readonly cwd: string;
  /** Told the end of what it shows so far, for those who cannot look at it any more. */
  readonly shown: (terminalId: string, output: string) => void;
}

/**
 * A terminal that only shows: the command runs here, and the client is told what it prints, piece by piece, in `_meta`. Not part of
 * the protocol, but of what its clients and agents have agreed on: clients that know it say `terminal_output` in the `_meta` of
 * their capabilities.
 */
export class DisplayTerminal {
  readonly id: string = crypto.randomUUID();
  readonly #tool: OpenToolCall;
  readonly #parts: DisplayTerminalParts;
  readonly #end = new OutputEnd(storedEnd);
  #waiting = '';
  #skipped = 0;
  #timer: NodeJS.Timeout | undefined;
  #telling: Promise<void> = Promise.resolve();

  constructor(tool: OpenToolCall, parts: DisplayTerminalParts) {
    this.#tool = tool;
    this.#parts = parts;
  }

  async show(): Promise<void> {
    const content = [{ type: 'terminal', terminalId: this.id }] as const;
    await this.#tool.annotate({ terminal_info: { terminal_id: this.id, cwd: this.#parts.cwd } }, content);
  }

  print(text: string): void {
    this.#waiting += text;
    // Cut at twice the length, so that not every letter of a flood copies it.
    if (this.#waiting.length > 2 * longest) this.#cut();
    this.#timer ??= setTimeout(() => this.#flush(), pause);
  }

  async exit(exitCode: number | null, signal: string | null): Promise<void> {
    clearTimeout(this.#timer);
    await this.#telling;
    clearTimeout(this.#timer);
    await this.#tell();
    await this.#tool.annotate({ terminal_exit: { terminal_id: this.id, exit_code: exitCode, signal } });
  }

  /** The next pieces are told when there is room for them. */
  #flush(): void {
    const goOn = (): void => {
      this.#timer = this.#waiting === '' ? undefined : setTimeout(() => this.#flush(), pause);
    };
    this.#telling = this.#tell().then(goOn, goOn);
  }

  async #tell(): Promise<void> {
    if (this.#waiting.length > longest) this.#cut();
    const gap = this.#skipped === 0 ? '' : `\r\n… ${this.#skipped} characters left out …\r\n`;
    const data = gap + this.#waiting;
    this.#waiting = '';
    this.#skipped = 0;
    if (data === '') return;
    this.#end.append(Buffer.from(data));
    this.#parts.shown(this.id, this.#end.text);
    await this.#tool.annotate({ terminal_output: { terminal_id: this.id, data } });
  }

  /** Lets go of all but the end, from a line or at least a whole character on. */
  #cut(): void {
    const end = this.#waiting.slice(-longest);
    const lineEnd = end.indexOf('\n');
    const kept = lineEnd < 0 ? end.replace(/^[\uDC00-\uDFFF]/, '') : end.slice(lineEnd + 1);
    this.#skipped += this.#waiting.length - kept.length;
    this.#waiting = kept;
  }
}
