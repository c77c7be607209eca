import type { RequestId } from '../json-rpc/request-id.ts';
import type { Log, LogEntry } from './log.ts';
import { redact } from './redact.ts';

/** The method and id that a message is logged with. */
interface MessageNames {
  readonly method?: string | undefined;
  readonly id?: RequestId | undefined;
}

/** Writes log entries for a peer. Without a log it is silent and costs one comparison a message. */
export class Journal {
  readonly #log: Log | undefined;

  constructor(log: Log | undefined) {
    this.#log = log;
  }

  /** True if there is a log. */
  get isOpen(): boolean {
    return this.#log !== undefined;
  }

  message(direction: 'in' | 'out', text: string, about: MessageNames): void {
    if (this.isOpen) this.#write(new MessageEntry(direction, text, about));
  }

  /** Something was wrong; the detail names paths and types, never values. */
  warning(level: 'info' | 'warn' | 'error', event: string, about: Omit<LogEntry, 'level' | 'event'> = {}): void {
    if (this.isOpen) this.#write({ level, event, ...about });
  }

  /** A log that throws must not end the connection. */
  #write(entry: LogEntry): void {
    try {
      this.#log?.(entry);
    } catch {
      // The error cannot be reported anywhere else.
    }
  }
}

/** The redacted copy is made only when it is read. */
class MessageEntry implements LogEntry {
  readonly level = 'debug';
  readonly event = 'message';
  readonly direction: 'in' | 'out';
  readonly method?: string;
  readonly id?: RequestId;
  readonly size: number;
  readonly #text: string;

  constructor(direction: 'in' | 'out', text: string, { method, id }: MessageNames) {
    this.direction = direction;
    if (method !== undefined) this.method = method;
    if (id !== undefined) this.id = id;
    this.size = text.length;
    this.#text = text;
  }

  get message(): unknown {
    return redact(JSON.parse(this.#text));
  }
}
