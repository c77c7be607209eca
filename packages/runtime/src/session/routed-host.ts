import type { Host, HostContext, HostFiles, HostTerminals } from '@turnwire/client';
import {
  type CreateTerminalRequest,
  type CreateTerminalResponse,
  type KillTerminalRequest,
  type KillTerminalResponse,
  type ReleaseTerminalRequest,
  type ReleaseTerminalResponse,
  resourceNotFound,
  type TerminalOutputRequest,
  type TerminalOutputResponse,
  TurnwireError,
  type WaitForTerminalExitRequest,
  type WaitForTerminalExitResponse,
} from '@turnwire/protocol';
import type { Subscriber, TerminalRequests } from './subscriber.ts';

/** Returns the subscriber in control of the running turn; undefined if it is gone. */
type Controller = () => Subscriber | undefined;

/**
 * The files and terminals of a session: those of the subscriber in control if it offers them, so that the agent sees its unsaved files; otherwise
 * those of this machine.
 */
export function routedHost({ files, terminals, elicitation }: Host, controller: Controller): Host {
  return {
    files: files && routedFiles(files, controller),
    terminals: terminals && new RoutedTerminals(terminals, controller),
    elicitation,
  };
}

function routedFiles(own: HostFiles, controller: Controller): HostFiles {
  const { readTextFile, writeTextFile, admit } = own;
  return {
    ...own,
    ...(admit && {
      // A client decides itself about files on its machine.
      admit: (request, context) => {
        const { files } = controller() ?? {};
        const isTheirs = ('content' in request ? files?.writeTextFile : files?.readTextFile) !== undefined;
        return isTheirs ? undefined : admit(request, context);
      },
    }),
    ...(readTextFile && {
      readTextFile: (request, context) => (controller()?.files?.readTextFile ?? readTextFile)(request, context),
    }),
    ...(writeTextFile && {
      writeTextFile: (request, context) => (controller()?.files?.writeTextFile ?? writeTextFile)(request, context),
    }),
  };
}

/** Terminals of clients and of this machine. Requests about a terminal go to the side that made it. */
class RoutedTerminals implements HostTerminals {
  readonly #own: HostTerminals;
  readonly #controller: Controller;
  /** The terminals of clients, by ids with a prefix: two clients may use the same id. */
  #elsewhere: Map<string, { readonly terminals: TerminalRequests; readonly terminalId: string }> | undefined;
  #made = 0;

  constructor(own: HostTerminals, controller: Controller) {
    this.#own = own;
    this.#controller = controller;
  }

  get shell(): HostTerminals['shell'] {
    return this.#own.shell;
  }

  get realPath(): HostTerminals['realPath'] {
    return this.#own.realPath;
  }

  admit(request: CreateTerminalRequest, context: HostContext): void | Promise<void> {
    if (this.#controller()?.terminals === undefined) return this.#own.admit?.(request, context);
  }

  async create(request: CreateTerminalRequest, context: HostContext): Promise<CreateTerminalResponse> {
    const terminals = this.#controller()?.terminals;
    // A command without a shell runs on this machine, which has its files.
    if (!terminals || context.run) return this.#own.create(request, context);
    const made = await terminals.create(request, context);
    const terminalId = `client-${++this.#made}`;
    (this.#elsewhere ??= new Map()).set(terminalId, { terminals, terminalId: made.terminalId });
    return { ...made, terminalId };
  }

  async output(request: TerminalOutputRequest, context: HostContext): Promise<TerminalOutputResponse> {
    const { terminals, own } = this.#at(request);
    return orGone(request, () => terminals.output(own, context));
  }

  async waitForExit(request: WaitForTerminalExitRequest, context: HostContext): Promise<WaitForTerminalExitResponse> {
    const { terminals, own } = this.#at(request);
    return orGone(request, () => terminals.waitForExit(own, context));
  }

  async kill(request: KillTerminalRequest, context: HostContext): Promise<KillTerminalResponse> {
    const { terminals, own } = this.#at(request);
    return orGone(request, () => terminals.kill(own, context));
  }

  async release(request: ReleaseTerminalRequest, context: HostContext): Promise<ReleaseTerminalResponse> {
    const { terminals, own } = this.#at(request);
    const answer = await orGone(request, () => terminals.release(own, context));
    this.#elsewhere?.delete(request.terminalId);
    return answer;
  }

  watch(listener: Parameters<HostTerminals['watch']>[0]): () => void {
    return this.#own.watch(listener);
  }

  async releaseAll(sessionId?: string): Promise<void> {
    this.#elsewhere = undefined;
    await this.#own.releaseAll(sessionId);
  }

  /** Finds the side of a terminal, and the request with its id of that terminal. */
  #at<Request extends { readonly terminalId: string }>(
    request: Request,
  ): { readonly terminals: TerminalRequests; readonly own: Request } {
    const elsewhere = this.#elsewhere?.get(request.terminalId);
    if (!elsewhere) return { terminals: this.#own, own: request };
    return { terminals: elsewhere.terminals, own: { ...request, terminalId: elsewhere.terminalId } };
  }
}

async function orGone<Response>(
  { terminalId }: { readonly terminalId: string },
  call: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof TurnwireError && error.code === 'connection-closed')) throw error;
    throw resourceNotFound(`The client of the terminal ${terminalId} is gone`);
  }
}
