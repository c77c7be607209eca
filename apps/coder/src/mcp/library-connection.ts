import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client, RequestOptions, Transport } from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import { withExactIntegers, withMarkedIntegers } from '@turnwire/machine';
import { within } from '@turnwire/machine/waits';
import { z } from 'zod';
import { CallClock } from './call-clock.ts';
import type { Connection, ConnectionHost, RawPrompt, RawResult, RequestTerms } from './connection.ts';
import { listPages } from './list-pages.ts';
import type { Listing } from './list-pages.ts';
import { offerShapes } from './offer-shapes.ts';
import { nothingOffered } from './server-offers.ts';
import type { ServerOffers } from './server-offers.ts';

const calm = 200;
const goodbye = 1_000;
const longestListing = 30_000;
const longest = 2 ** 31 - 1;

/** The parts of a connection. */
export interface LibraryParts {
  readonly client: Client;
  readonly transport: Transport;
  readonly host: ConnectionHost;
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

/** A connection by the MCP library. */
export class LibraryConnection implements Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #host: ConnectionHost;
  readonly #over = new AbortController();
  #offers: ServerOffers = nothingOffered;
  #relisting = false;
  #isStale = false;

  constructor({ client, transport, host }: LibraryParts) {
    this.#client = client;
    this.#transport = transport;
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

  async readResource(uri: string, terms: RequestTerms): Promise<readonly unknown[]> {
    const request = { method: 'resources/read', params: { uri } };
    return (await this.#client.request(request, resource, optionsOf(terms))).contents;
  }

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
        using clock = new CallClock({ idle: longestListing, whole: longestListing }, this.#over.signal);
        await this.list(clock.signal);
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
