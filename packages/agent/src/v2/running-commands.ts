import { invalidParams } from '@turnwire/protocol';

/** The running commands of a session, which its client may end by their tool call or their terminal. */
export class RunningCommands {
  readonly #byToolCall = new Map<string, AbortController>();
  /** The tool calls of terminals. */
  readonly #byTerminal = new Map<string, string>();
  /** The tool calls that the client ended. */
  readonly #cancelled = new Set<string>();

  /** The controller aborts when the client ends the command. */
  start(toolCallId: string): AbortController {
    const controller = new AbortController();
    this.#byToolCall.set(toolCallId, controller);
    return controller;
  }

  /** The command has ended, or its tool call. Returns false if it had ended before, or is not this command. */
  end(toolCallId: string, command: AbortController | undefined = this.#byToolCall.get(toolCallId)): boolean {
    return this.#byToolCall.get(toolCallId) === command && this.#byToolCall.delete(toolCallId);
  }

  has(toolCallId: string): boolean {
    return this.#byToolCall.has(toolCallId);
  }

  terminalOpens(terminalId: string, toolCallId: string): void {
    this.#byTerminal.set(terminalId, toolCallId);
  }

  terminalEnds(terminalId: string): void {
    this.#byTerminal.delete(terminalId);
  }

  /** @throws ProtocolError -32602 if it runs no command */
  cancelToolCall(toolCallId: string): void {
    const controller = this.#byToolCall.get(toolCallId);
    if (controller === undefined)
      throw invalidParams(`toolCallId: no tool call ${JSON.stringify(toolCallId)} can be cancelled now`);
    this.#cancelled.add(toolCallId);
    controller.abort();
  }

  /** The tool call keeps its status. Throws ProtocolError -32602 if the terminal runs no command. */
  cancelTerminal(terminalId: string): void {
    const controller = this.#byToolCall.get(this.#byTerminal.get(terminalId) ?? '');
    if (controller === undefined)
      throw invalidParams(`terminalId: no terminal ${JSON.stringify(terminalId)} can be cancelled now`);
    controller.abort();
  }

  /** Whether the client ended the tool call. Asked once, when the call ends. */
  wasCancelled(toolCallId: string): boolean {
    return this.#cancelled.delete(toolCallId);
  }
}
