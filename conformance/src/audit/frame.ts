import type { Edition } from '@turnwire/protocol';
import type { Subject } from '../requirements/requirement.ts';
import {
  asMessage,
  errorOf,
  objectsIn,
  type JournalEntry,
  type RawMessage,
  type ReplyError,
} from '../wire/messages.ts';
import { type Definition, definitionOf } from './definition-of.ts';
import { dissect, type Dissection, emptyDissection } from './dissect.ts';

/** A line of a journal as rules see it: its kind, and the message that it answers or that answers it. */
export class Frame {
  readonly entry: JournalEntry;
  readonly from: Subject;
  /** The line as an object; undefined if it is not one. */
  readonly message: RawMessage | undefined;
  /** `other` means anything that is not a message. */
  readonly kind: 'request' | 'notification' | 'answer' | 'other';
  /** For an answer: its request, if there was one. */
  request: Frame | undefined;
  /** For a request: its first answer, which may come later in the journal. */
  answer: Frame | undefined;
  /** For a request: another request used the same id while this one was open, so the answer cannot be attributed. */
  isMistakable = false;
  readonly #edition: () => Edition;
  #dissection: Dissection | undefined;

  /** @param edition the schema of the connection, which may be known only after a later frame */
  constructor(entry: JournalEntry, edition: () => Edition) {
    this.entry = entry;
    this.#edition = edition;
    this.from = entry.from;
    this.message = entry.flaw === 'cut off' || entry.flaw === 'oversize' ? undefined : asMessage(entry.message);
    this.kind = kindOf(this.message);
  }

  get edition(): Edition {
    return this.#edition();
  }

  get id(): unknown {
    return this.message?.['id'];
  }

  /** The method; for an answer, that of its request. Empty if unknown or absent. */
  get method(): string {
    if (this.request?.isMistakable) return '';
    const method = this.kind === 'answer' ? this.request?.method : this.message?.['method'];
    return typeof method === 'string' ? method : '';
  }

  /** The parameters; an empty object if there are none. */
  get params(): RawMessage {
    return asMessage(this.message?.['params']) ?? {};
  }

  get result(): RawMessage | undefined {
    return asMessage(this.message?.['result']);
  }

  get error(): ReplyError | undefined {
    return this.message && errorOf(this.message);
  }

  /** Whether this is an answer with a result, `null` included. */
  get isSuccess(): boolean {
    return this.kind === 'answer' && this.message?.['result'] !== undefined && this.error === undefined;
  }

  get sessionId(): string | undefined {
    const id = (this.kind === 'answer' ? this.request?.params : this.params)?.['sessionId'];
    return typeof id === 'string' ? id : undefined;
  }

  /** The update of a `session/update`, with its kind. */
  get update(): (RawMessage & { readonly sessionUpdate?: unknown }) | undefined {
    return this.kind === 'notification' && this.method === 'session/update'
      ? asMessage(this.params['update'])
      : undefined;
  }

  get dissection(): Dissection {
    const definition = definitionOf(this);
    this.#dissection ??=
      definition === undefined || this.error !== undefined
        ? emptyDissection
        : dissect(this.edition, definition, this.value);
    return this.#dissection;
  }

  /** The objects in this frame that have one of these schema types. */
  partsOf(...types: readonly Definition[]): readonly RawMessage[] {
    return objectsIn(this.dissection.parts.filter(({ type }) => types.includes(type)).map(({ value }) => value));
  }

  /** The part that the schema describes: the result, or the parameters. */
  get value(): unknown {
    return this.kind === 'answer' ? this.message?.['result'] : (this.message?.['params'] ?? {});
  }
}

function kindOf(message: RawMessage | undefined): Frame['kind'] {
  if (message === undefined) return 'other';
  if (typeof message['method'] === 'string') return message['id'] === undefined ? 'notification' : 'request';
  const isAnswer = message['method'] === undefined && 'id' in message;
  return isAnswer && ('result' in message || 'error' in message) ? 'answer' : 'other';
}
