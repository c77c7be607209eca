import {
  type FrameAbout,
  type FrameReceiver,
  type MethodRow,
  type Shapes,
  steeringMethod,
  type Transport,
} from '@turnwire/protocol';
import { pathFields } from './path-fields.ts';
import type { PathMapping } from './path-mapping.ts';

type RequestId = FrameAbout['id'];

interface Message {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** The direction of a message: to the agent, or from it. */
export type Direction = 'there' | 'here';

/** The methods and shapes of a version of the protocol. */
interface MappedEdition {
  readonly methods: Readonly<Record<string, MethodRow>>;
  readonly shapes: Shapes;
}

/** The editions of the versions. The caller passes them, since most programs need no code of version 2. */
export type MappedEditions = Readonly<Record<1 | 2, MappedEdition>>;

/** The unanswered requests of one side that are kept. Beyond that, the oldest is dropped. */
const mostRequests = 10_000;

/** Translates the paths of every message between a client here and an agent elsewhere, in the version of the protocol that they agree on. */
export class MappedMessages {
  readonly #mapping: PathMapping;
  readonly #asked: Readonly<Record<Direction, Map<RequestId, string>>> = { there: new Map(), here: new Map() };
  readonly #editions: MappedEditions;
  #edition: MappedEdition;

  constructor(mapping: PathMapping, editions: MappedEditions) {
    this.#mapping = mapping;
    this.#editions = editions;
    this.#edition = editions[1];
  }

  /** Translates the text of a message. Text without paths to translate is returned as it is. */
  frame(text: string, to: Direction): string {
    try {
      const message = JSON.parse(text) as Message | null;
      return typeof message === 'object' && message !== null && this.#change(message, to)
        ? JSON.stringify(message)
        : text;
    } catch {
      // The peer refuses such text.
      return text;
    }
  }

  #change(message: Message, to: Direction): boolean {
    const { id, method, params, result } = message;
    if (method === undefined) {
      const asked = this.#asked[to === 'there' ? 'here' : 'there'];
      const answered = asked.get(id);
      asked.delete(id);
      if (answered === 'initialize') this.#agree(result);
      return this.#changeValue(this.#row(answered)?.result, result, to);
    }
    if (id !== undefined) {
      const own = this.#asked[to];
      own.set(id, method);
      if (own.size > mostRequests) own.delete(own.keys().next().value);
    }
    return this.#changeValue(this.#row(method)?.params, params, to);
  }

  #row(method: string | undefined): MethodRow | undefined {
    if (method === undefined) return undefined;
    const { methods } = this.#edition;
    const name = method === steeringMethod ? 'session/prompt' : method;
    return Object.hasOwn(methods, name) ? methods[name] : undefined;
  }

  #agree(result: unknown): void {
    const isVersion2 = (result as { readonly protocolVersion?: unknown } | undefined)?.protocolVersion === 2;
    this.#edition = this.#editions[isVersion2 ? 2 : 1];
  }

  #changeValue(definition: string | undefined, value: unknown, to: Direction): boolean {
    if (definition === undefined) return false;
    let isChanged = false;
    for (const { holder, key, kind } of pathFields(definition, value, this.#edition.shapes)) {
      const text = holder[key] as string;
      const translated = this.#mapping.text(text, kind, to);
      if (translated !== text) isChanged = true;
      holder[key] = translated;
    }
    return isChanged;
  }
}

/** The connection to an agent elsewhere, with its paths translated. */
export function mappedTransport(transport: Transport, mapping: PathMapping, editions: MappedEditions): Transport {
  const messages = new MappedMessages(mapping, editions);
  const about = (facts: FrameAbout | undefined): FrameAbout | undefined => facts && { ...facts, message: undefined };
  return {
    start: (receiver: FrameReceiver) =>
      transport.start({
        frame: (text, facts) => receiver.frame(messages.frame(text, 'here'), about(facts)),
        warning: (report) => receiver.warning(report),
        end: (reason) => receiver.end(reason),
      }),
    send: (frame, facts) => transport.send(messages.frame(frame, 'there'), about(facts)),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
