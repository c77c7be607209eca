import { setTimeout as delay } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client, RequestOptions, Transport } from '@modelcontextprotocol/client';
import type { UserAnswer, UserQuestion } from '@turnwire/agent';
import { type OutputTail, withExactIntegers, withMarkedIntegers } from '@turnwire/machine';
import { Deadline, within } from '@turnwire/machine/waits';
import type { McpServer } from '@turnwire/protocol';
import { z } from 'zod';
import { listPages } from './list-pages.ts';
import type { Listing } from './list-pages.ts';
import { offerShapes } from './offer-shapes.ts';
import { nothingOffered } from './server-offers.ts';
import type { ServerOffers } from './server-offers.ts';

const calm = 200;
const goodbye = 1_000;
const longestListing = 30_000;
const longest = 2 ** 31 - 1;

/** The context and the callbacks of a connection. */
export interface ConnectionHost {
  readonly server: McpServer;
  /** The session's folder: servers start in it. */
  readonly cwd: string;
  /** All folders of the session, which servers may request (MCP: roots). */
  readonly roots: readonly string[];
  /** The environment; servers inherit only a part of it: see `open-connection.ts`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives the server's stderr and log. */
  readonly log: OutputTail;
  /** The elicitation the client supports, which servers may use. */
  readonly asks: { readonly form: boolean; readonly url: boolean };
  /** Passes a question of the server to the user. Undefined if no user can answer now. */
  readonly ask: (question: UserQuestion) => Promise<UserAnswer | undefined>;
  /** The server's offers have changed. */
  readonly changed: (offers: ServerOffers) => void;
  /** The connection was lost, not closed by us. */
  readonly lost: (reason: string) => void;
}

/** The limits of one request. */
export interface RequestTerms {
  readonly signal: AbortSignal;
  /** Receives its progress. */
  readonly progress?: (progress: Progress) => void;
}

/** The progress of a call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A tool's result, unchecked. */
export interface RawResult {
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

/** A prompt with its arguments filled in. */
export interface RawPrompt {
  readonly messages: readonly unknown[];
}

// Answers are checked leniently: the library would refuse a list of a hundred tools because of one invalid entry.
const anything = z.looseObject({});
const result = z.looseObject({
  content: z.array(z.unknown()).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
});
const prompt = z.looseObject({ messages: z.array(z.unknown()).catch([]) });
const resource = z.looseObject({ contents: z.array(z.unknown()).catch([]) });

/** A client of the MCP library and its transport. The library is bundled, so the declarations of this package must not mention its types. */
export interface ConnectedLibrary {
  readonly client: unknown;
  readonly transport: unknown;
}

/** A connected server. Failures throw the errors of the MCP library: see `failure-reason.ts`. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #host: ConnectionHost;
  readonly #over = new AbortController();
  #offers: ServerOffers = nothingOffered;
  #relisting = false;
  #isStale = false;

  constructor(connected: ConnectedLibrary, host: ConnectionHost) {
    const client = connected.client as Client;
    this.#client = client;
    this.#transport = connected.transport as Transport;
    this.#host = host;
    for (const kind of ['tools', 'prompts', 'resources'] as const)
      client.setNotificationHandler(`notifications/${kind}/list_changed`, () => this.#listAgain());
  }

  get offers(): ServerOffers {
    return this.#offers;
  }

  get isClosed(): boolean {
    return this.#over.signal.aborted;
  }

  /** Lists what the server offers. Rejects if it cannot list its tools; prompts and resources are optional. */
  async list(signal: AbortSignal): Promise<void> {
    const has = this.#client.getServerCapabilities() ?? {};
    const nothing = { items: [], warnings: [] };
    const [tools, prompts, resources, templates] = await Promise.all([
      has.tools ? this.#pages('tools', signal) : nothing,
      has.prompts ? this.#pages('prompts', signal).catch(failedTo('prompts')) : nothing,
      has.resources ? this.#pages('resources', signal).catch(failedTo('resources')) : nothing,
      // Many servers support resources but no templates.
      has.resources ? this.#pages('resource templates', signal).catch(() => nothing) : nothing,
    ]);
    this.#offers = {
      tools: tools.items,
      prompts: prompts.items,
      resources: resources.items,
      templates: templates.items,
      warnings: [tools, prompts, resources, templates].flatMap(({ warnings }) => warnings),
    };
  }

  async callTool(name: string, input: Readonly<Record<string, unknown>>, terms: RequestTerms): Promise<RawResult> {
    const params = { name, arguments: withMarkedIntegers(input) as Record<string, unknown> };
    const { structuredContent, ...answer } = await this.#client.request(
      { method: 'tools/call', params },
      result,
      optionsOf(terms),
    );
    return structuredContent === undefined
      ? answer
      : { ...answer, structuredContent: withExactIntegers(structuredContent) };
  }

  async getPrompt(name: string, values: Readonly<Record<string, string>>, terms: RequestTerms): Promise<RawPrompt> {
    const params = { name, arguments: { ...values } };
    return this.#client.request({ method: 'prompts/get', params }, prompt, optionsOf(terms));
  }

  /** The contents of a resource, unchanged. */
  async readResource(uri: string, terms: RequestTerms): Promise<readonly unknown[]> {
    const request = { method: 'resources/read', params: { uri } };
    return (await this.#client.request(request, resource, optionsOf(terms))).contents;
  }

  /** Closes the connection and ends the server's process. `lost` is not called. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.#over.abort();
    if (this.#transport instanceof StreamableHTTPClientTransport) {
      const bye = this.#transport.terminateSession().catch(() => undefined);
      await within(goodbye, bye);
    }
    await this.#transport.close().catch(() => undefined);
  }

  async #pages<Kind extends keyof Lists>(what: Kind, signal: AbortSignal): Promise<Listing<Lists[Kind]>> {
    const { method, field, shape } = lists[what];
    return listPages<Lists[Kind]>({
      what,
      field,
      shape: shape as z.ZodType<Lists[Kind]>,
      page: (cursor) =>
        this.#client.request({ method, params: { ...(cursor !== undefined && { cursor }) } }, anything, {
          signal,
          timeout: longest,
        }),
    });
  }

  /** Lists again once the changes have settled: a server may announce a thousand. */
  async #listAgain(): Promise<void> {
    this.#isStale = true;
    if (this.#relisting) return;
    this.#relisting = true;
    try {
      while (this.#isStale && !this.isClosed) {
        await delay(calm, undefined, { signal: this.#over.signal });
        this.#isStale = false;
        using deadline = new Deadline(longestListing, this.#over.signal);
        await this.list(deadline.signal);
        this.#host.changed(this.#offers);
      }
    } catch {
      // The server ended, or did not answer: the previous offers stay.
    } finally {
      this.#relisting = false;
    }
  }
}

interface Lists {
  readonly tools: ServerOffers['tools'][number];
  readonly prompts: ServerOffers['prompts'][number];
  readonly resources: ServerOffers['resources'][number];
  readonly 'resource templates': ServerOffers['templates'][number];
}

const lists: {
  readonly [Kind in keyof Lists]: { readonly method: string; readonly field: string; readonly shape: z.ZodType };
} = {
  tools: { method: 'tools/list', field: 'tools', shape: offerShapes.tool },
  prompts: { method: 'prompts/list', field: 'prompts', shape: offerShapes.prompt },
  resources: { method: 'resources/list', field: 'resources', shape: offerShapes.resource },
  'resource templates': {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    shape: offerShapes.template,
  },
};

function optionsOf({ signal, progress }: RequestTerms): RequestOptions {
  return { signal, timeout: longest, ...(progress && { onprogress: progress }) };
}

function failedTo(what: string): () => Listing<never> {
  return () => ({ items: [], warnings: [`It could not list its ${what}.`] });
}
