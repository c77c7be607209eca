import type { OpenToolCall } from '../tool-report.ts';

/** Milliseconds of output that are told together. */
const pause = 100;

/**
 * A terminal that only shows: the command runs here, and the client is told what it prints, piece by piece, in `_meta`. Not part of
 * the protocol, but of what its clients and agents have agreed on: clients that know it say `terminal_output` in the `_meta` of
 * their capabilities.
 */
export class DisplayTerminal {
  readonly id: string = crypto.randomUUID();
  readonly #tool: OpenToolCall;
  readonly #cwd: string;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(tool: OpenToolCall, cwd: string) {
    this.#tool = tool;
    this.#cwd = cwd;
  }

  async show(): Promise<void> {
    const content = [{ type: 'terminal', terminalId: this.id }] as const;
    await this.#tool.annotate({ terminal_info: { terminal_id: this.id, cwd: this.#cwd } }, content);
  }

  print(text: string): void {
    this.#waiting += text;
    this.#timer ??= setTimeout(() => void this.#flush(), pause);
  }

  async exit(exitCode: number | null, signal: string | null): Promise<void> {
    await this.#flush();
    await this.#tool.annotate({ terminal_exit: { terminal_id: this.id, exit_code: exitCode, signal } });
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const data = this.#waiting;
    this.#waiting = '';
    if (data !== '') await this.#tool.annotate({ terminal_output: { terminal_id: this.id, data } });
  }
}
