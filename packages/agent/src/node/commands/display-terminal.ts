import { OutputTail } from '@turnwire/machine';
import type { OpenToolCall } from '../../turn/tool-report.ts';

/** Interval between two chunks in milliseconds, and the most UTF-16 units of a chunk: a flood is cut, not buffered. */
const pause = 100;
const longest = 64 * 1024;

/** Bytes of the output's end that are stored while the command runs. */
const storedEnd = 4 * 1024;

/** The inputs of a display terminal. */
export interface DisplayTerminalParts {
  readonly cwd: string;
  /** Receives the end of the output so far, to store it for later replay. */
  readonly shown: (terminalId: string, output: string) => void;
}

/**
 * A display-only terminal: the command runs here, and its output is sent to the client in chunks, in `_meta`. It is not part of the
 * protocol but a convention of clients and agents: clients that support it send `terminal_output` in the `_meta` of their capabilities.
 */
export class DisplayTerminal {
  readonly id: string = crypto.randomUUID();
  readonly #tool: OpenToolCall;
  readonly #parts: DisplayTerminalParts;
  readonly #end = new OutputTail(storedEnd);
  #waiting = '';
  #skipped = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

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
    // Cut at twice the length, so that a flood of single letters is not copied for each of them.
    if (this.#waiting.length > 2 * longest) this.#cut();
    this.#timer ??= setTimeout(() => this.#flush(), pause);
  }

  async exit(exitCode: number | null, signal: string | null): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sending;
    clearTimeout(this.#timer);
    await this.#send();
    await this.#tool.annotate({ terminal_exit: { terminal_id: this.id, exit_code: exitCode, signal } });
  }

  /** The next chunk is sent when the connection accepts it. */
  #flush(): void {
    const resume = (): void => {
      this.#timer = this.#waiting === '' ? undefined : setTimeout(() => this.#flush(), pause);
    };
    this.#sending = this.#send().then(resume, resume);
  }

  async #send(): Promise<void> {
    if (this.#waiting.length > longest) this.#cut();
    const gap = this.#skipped === 0 ? '' : `\r\n… ${this.#skipped} characters omitted …\r\n`;
    const data = gap + this.#waiting;
    this.#waiting = '';
    this.#skipped = 0;
    if (data === '') return;
    this.#end.write(Buffer.from(data));
    this.#parts.shown(this.id, this.#end.text());
    await this.#tool.annotate({ terminal_output: { terminal_id: this.id, data } });
  }

  /** Drops all but the end, starting at a line or at least at a whole character. */
  #cut(): void {
    const end = this.#waiting.slice(-longest);
    const lineEnd = end.indexOf('\n');
    const kept = lineEnd < 0 ? end.replace(/^[\uDC00-\uDFFF]/, '') : end.slice(lineEnd + 1);
    this.#skipped += this.#waiting.length - kept.length;
    this.#waiting = kept;
  }
}
