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
import type { HostedClient } from './hosted-client.ts';

/** Where the requests of an agent for files and terminals go. */
export interface HostRoutes {
  /** The session as its clients know it. */
  readonly sessionId: string;
  /** The client in control of the running turn; undefined if it is gone. */
  readonly controller: HostedClient | undefined;
}

/** Files and terminals of a session, with those of this machine: the client's that controls it, where it offers them, so that what is not saved there is seen; else ours. */
export function routedHost({ files, terminals, elicitation }: Host, routes: HostRoutes): Host {
  return {
    files: files && routedFiles(files, routes),
    terminals: terminals && new RoutedTerminals(terminals, routes),
    elicitation,
  };
}

function routedFiles(own: HostFiles, routes: HostRoutes): HostFiles {
  const { readTextFile, writeTextFile } = own;
  return {
    ...own,
    ...(readTextFile && {
      readTextFile: (request, context) => {
        const { sessionId, controller: client } = routes;
        if (client?.capabilities.fs?.readTextFile !== true) return readTextFile(request, context);
        return client.peer.request('fs/read_text_file', { ...request, sessionId }, context);
      },
    }),
    ...(writeTextFile && {
      writeTextFile: (request, context) => {
        const { sessionId, controller: client } = routes;
        if (client?.capabilities.fs?.writeTextFile !== true) return writeTextFile(request, context);
        return client.peer.request('fs/write_text_file', { ...request, sessionId }, context);
      },
    }),
  };
}

/** A terminal stays where it was made, and so do the requests about it. */
class RoutedTerminals implements HostTerminals {
  readonly #own: HostTerminals;
  readonly #routes: HostRoutes;
  /** The terminals of clients, by their ids, which are prefixed: two clients may use the same. */
  #elsewhere: Map<string, { readonly client: HostedClient; readonly terminalId: string }> | undefined;
  #made = 0;
  declare readonly shell?: NonNullable<HostTerminals['shell']>;
  declare readonly realPath?: NonNullable<HostTerminals['realPath']>;

  constructor(own: HostTerminals, routes: HostRoutes) {
    this.#own = own;
    this.#routes = routes;
    if (own.shell) this.shell = own.shell;
    if (own.realPath) this.realPath = own.realPath;
  }

  async create(request: CreateTerminalRequest, context: HostContext): Promise<CreateTerminalResponse> {
    const { sessionId, controller: client } = this.#routes;
    // What runs without a shell runs here, where the files are.
    if (client?.capabilities.terminal !== true || context.run) return this.#own.create(request, context);
    const made = await client.peer.request('terminal/create', { ...request, sessionId }, context);
    const terminalId = `client-${++this.#made}`;
    (this.#elsewhere ??= new Map()).set(terminalId, { client, terminalId: made.terminalId });
    return { ...made, terminalId };
  }

  async output(request: TerminalOutputRequest, context: HostContext): Promise<TerminalOutputResponse> {
    return this.#at('terminal/output', request, { context, own: () => this.#own.output(request, context) });
  }

  async waitForExit(request: WaitForTerminalExitRequest, context: HostContext): Promise<WaitForTerminalExitResponse> {
    return this.#at('terminal/wait_for_exit', request, { context, own: () => this.#own.waitForExit(request, context) });
  }

  async kill(request: KillTerminalRequest, context: HostContext): Promise<KillTerminalResponse> {
    return this.#at('terminal/kill', request, { context, own: () => this.#own.kill(request, context) });
  }

  async release(request: ReleaseTerminalRequest, context: HostContext): Promise<ReleaseTerminalResponse> {
    const answer = await this.#at('terminal/release', request, {
      context,
      own: () => this.#own.release(request, context),
    });
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

  async #at<Response>(
    method: 'terminal/output' | 'terminal/wait_for_exit' | 'terminal/kill' | 'terminal/release',
    request: { readonly terminalId: string },
    { context, own }: { readonly context: HostContext; readonly own: () => Response | Promise<Response> },
  ): Promise<Response> {
    const place = this.#elsewhere?.get(request.terminalId);
    if (!place) return own();
    const { client, terminalId } = place;
    const params = { sessionId: this.#routes.sessionId, terminalId };
    try {
      return (await client.peer.request(method, params, context)) as Response;
    } catch (error) {
      if (!(error instanceof TurnwireError && error.code === 'connection-closed')) throw error;
      throw resourceNotFound(`The client of the terminal ${request.terminalId} is gone`);
    }
  }
}
