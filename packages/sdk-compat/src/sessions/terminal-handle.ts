import { type AcpContext } from '../apps/context.ts';
import type {
  CreateTerminalRequest,
  KillTerminalResponse,
  ReleaseTerminalResponse,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from '../generated/v1-types.ts';
import type { SendRequestOptions } from '../json-rpc/messages.ts';

/** A command in a terminal of the client. Release it when it is not needed any more, or declare it with `await using`. */
export class TerminalHandle {
  /** The id of the terminal. */
  id: string;
  readonly #context: AcpContext;
  readonly #sessionId: string;

  constructor(context: AcpContext, sessionId: string, id: string) {
    this.id = id;
    this.#context = context;
    this.#sessionId = sessionId;
  }

  /** The output so far. */
  currentOutput(): Promise<TerminalOutputResponse> {
    return this.#call('terminal/output') as Promise<TerminalOutputResponse>;
  }

  /** Waits for the end of the command. */
  waitForExit(): Promise<WaitForTerminalExitResponse> {
    return this.#call('terminal/wait_for_exit') as Promise<WaitForTerminalExitResponse>;
  }

  /** Ends the command. The terminal stays: its output can still be read. */
  kill(): Promise<KillTerminalResponse> {
    return this.#call('terminal/kill') as Promise<KillTerminalResponse>;
  }

  /** Ends the command if it still runs, and frees the terminal. */
  release(): Promise<ReleaseTerminalResponse | void> {
    return this.#call('terminal/release') as Promise<ReleaseTerminalResponse>;
  }

  /** The same as `release`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  #call(method: string): Promise<unknown> {
    return this.#context.connection.request(method, { sessionId: this.#sessionId, terminalId: this.id });
  }
}

/** Runs a command in a new terminal of the client. */
export async function createTerminal(
  context: AcpContext,
  params: CreateTerminalRequest,
  options?: SendRequestOptions,
): Promise<TerminalHandle> {
  const answer = await context.connection.request('terminal/create', params, options);
  return new TerminalHandle(context, params.sessionId, (answer as { readonly terminalId: string }).terminalId);
}
