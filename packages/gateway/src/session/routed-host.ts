import type { Host, HostContext, HostFiles, HostService, HostTerminals } from '@turnwire/client';
import { resourceNotFound } from '@turnwire/protocol';
import type { HostedClient } from './hosted-client.ts';

/** Where the requests of an agent for files and terminals go. */
export interface HostRoutes {
  /** The services of this machine, for what the client in control does not offer. */
  readonly own: Host;
  /** The session as its clients know it. */
  readonly sessionId: () => string;
  /** The client in control of the running turn; undefined if it is gone. */
  readonly controller: () => HostedClient | undefined;
}

/** Files and terminals of a session: the client's that controls it, where it offers them, so that what is not saved there is seen; else ours. */
export function routedHost(routes: HostRoutes): Host {
  const { files, terminals } = routes.own;
  return {
    ...routes.own,
    ...(files && { files: routedFiles(files, routes) }),
    ...(terminals && { terminals: new RoutedTerminals(terminals, routes) }),
  };
}

function routedFiles(own: HostFiles, { sessionId, controller }: HostRoutes): HostFiles {
  const { readTextFile, writeTextFile } = own;
  return {
    ...own,
    ...(readTextFile && {
      readTextFile: (request, context) => {
        const client = controller();
        if (client?.capabilities.fs?.readTextFile !== true) return readTextFile(request, context);
        return client.peer.request('fs/read_text_file', { ...request, sessionId: sessionId() }, context);
      },
    }),
    ...(writeTextFile && {
      writeTextFile: (request, context) => {
        const client = controller();
        if (client?.capabilities.fs?.writeTextFile !== true) return writeTextFile(request, context);
        return client.peer.request('fs/write_text_file', { ...request, sessionId: sessionId() }, context);
      },
    }),
  };
}

/** A terminal stays where it was made, and so do the requests about it. */
class RoutedTerminals implements HostTerminals {
  readonly #own: HostTerminals;
  readonly #routes: HostRoutes;
  /** The terminals of clients, by their ids, which are prefixed: two clients may use the same. */
  readonly #elsewhere = new Map<string, { readonly client: HostedClient; readonly terminalId: string }>();
  #made = 0;
  declare readonly shell?: NonNullable<HostTerminals['shell']>;
  declare readonly realPath?: NonNullable<HostTerminals['realPath']>;

  constructor(own: HostTerminals, routes: HostRoutes) {
    this.#own = own;
    this.#routes = routes;
    if (own.shell) this.shell = own.shell;
    if (own.realPath) this.realPath = own.realPath;
  }

  create: HostTerminals['create'] = async (request, context) => {
    const { sessionId, controller } = this.#routes;
    const client = controller();
    if (client?.capabilities.terminal !== true) return this.#own.create(request, context);
    const made = await client.peer.request('terminal/create', { ...request, sessionId: sessionId() }, context);
    const terminalId = `client-${++this.#made}`;
    this.#elsewhere.set(terminalId, { client, terminalId: made.terminalId });
    return { ...made, terminalId };
  };

  output: HostTerminals['output'] = (request, context) =>
    this.#at('terminal/output', request, { context, own: this.#own.output });

  waitForExit: HostTerminals['waitForExit'] = (request, context) =>
    this.#at('terminal/wait_for_exit', request, { context, own: this.#own.waitForExit });

  kill: HostTerminals['kill'] = (request, context) =>
    this.#at('terminal/kill', request, { context, own: this.#own.kill });

  release: HostTerminals['release'] = async (request, context) => {
    const answer = await this.#at('terminal/release', request, { context, own: this.#own.release });
    this.#elsewhere.delete(request.terminalId);
    return answer;
  };

  watch(listener: Parameters<HostTerminals['watch']>[0]): () => void {
    return this.#own.watch(listener);
  }

  async releaseAll(sessionId?: string): Promise<void> {
    this.#elsewhere.clear();
    await this.#own.releaseAll(sessionId);
  }

  async #at<Request extends { readonly terminalId: string }, Response>(
    method: 'terminal/output' | 'terminal/wait_for_exit' | 'terminal/kill' | 'terminal/release',
    request: Request,
    { context, own }: { readonly context: HostContext; readonly own: HostService<Request, Response> },
  ): Promise<Response> {
    const place = this.#elsewhere.get(request.terminalId);
    if (!place) return own(request, context);
    const { client, terminalId } = place;
    const params = { sessionId: this.#routes.sessionId(), terminalId };
    const gone = client.peer.closed.then(() => {
      throw resourceNotFound(`The client of the terminal ${request.terminalId} is gone`);
    });
    return (await Promise.race([client.peer.request(method, params, context), gone])) as Response;
  }
}
