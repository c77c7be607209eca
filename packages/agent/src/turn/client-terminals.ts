import type {
  CreateTerminalRequest,
  Peer,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from '@turnwire/protocol';
import { unlessAborted } from '@turnwire/machine/waits';

/** Terminals of the client (protocol: Terminals). Those that are still open at the end of the turn are released then. */
export interface ClientTerminals {
  /** Starts a command and returns at once. Show it with tool content of type `terminal` before it is released. */
  create(command: Omit<CreateTerminalRequest, 'sessionId'>): Promise<ClientTerminal>;
}

/** A command in a terminal of the client. */
export interface ClientTerminal {
  readonly id: string;
  /** Its output so far. */
  output(): Promise<TerminalOutputResponse>;
  /** Waits until the command ends. */
  exit(): Promise<WaitForTerminalExitResponse>;
  /** Ends the command; the terminal stays open. */
  kill(): Promise<void>;
  /** Ends the command if it still runs, and releases the terminal. Its displayed output stays. */
  release(): Promise<void>;
}

/** The inputs of a terminal registry. */
export interface TerminalRegistryParts {
  readonly peer: Peer<'agent'>;
  readonly sessionId: string;
  /** Aborts when no terminal may be opened or awaited any more. */
  readonly signal: AbortSignal;
  /** Receives the output of a terminal whenever it was read, to store it for later replay. */
  readonly shown: (terminalId: string, output: string) => void;
}

/** Opens terminals and ensures that all are released. */
export class TerminalRegistry implements ClientTerminals {
  readonly #peer: Peer<'agent'>;
  readonly #sessionId: string;
  readonly #signal: AbortSignal;
  readonly #shown: (terminalId: string, output: string) => void;
  readonly #open = new Set<string>();
  #isOver = false;

  constructor({ peer, sessionId, signal, shown }: TerminalRegistryParts) {
    this.#peer = peer;
    this.#sessionId = sessionId;
    this.#signal = signal;
    this.#shown = shown;
  }

  async create(command: Omit<CreateTerminalRequest, 'sessionId'>): Promise<ClientTerminal> {
    this.#signal.throwIfAborted();
    // Not cancelled with the turn: without the id the terminal could never be released.
    const { terminalId } = await this.#peer.request('terminal/create', { ...command, sessionId: this.#sessionId });
    this.#open.add(terminalId);
    if (this.#isOver) {
      this.releaseAll();
      this.#signal.throwIfAborted();
    }
    return this.#terminal(terminalId);
  }

  /** Requests the release of all terminals without waiting for it. */
  releaseAll(): void {
    this.#isOver = true;
    for (const terminalId of this.#open) this.#release(terminalId).catch(() => undefined);
  }

  #terminal(terminalId: string): ClientTerminal {
    const call = { sessionId: this.#sessionId, terminalId };
    return {
      id: terminalId,
      output: async () => {
        const asked = this.#peer.request('terminal/output', call, { signal: this.#signal });
        const answer = await unlessAborted(asked, this.#signal);
        this.#shown(terminalId, answer.output);
        return answer;
      },
      // A client without `$/cancel_request` answers only when the command has ended, which the release ensures.
      exit: () =>
        unlessAborted(this.#peer.request('terminal/wait_for_exit', call, { signal: this.#signal }), this.#signal),
      kill: async () => void (await this.#peer.request('terminal/kill', call)),
      release: () => this.#release(terminalId),
    };
  }

  async #release(terminalId: string): Promise<void> {
    if (this.#open.delete(terminalId))
      await this.#peer.request('terminal/release', { sessionId: this.#sessionId, terminalId });
  }
}
