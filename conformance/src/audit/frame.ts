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

/** One line of a journal as rules see it: what it is, and what it belongs to. */
export class Frame {
  readonly entry: JournalEntry;
  readonly from: Subject;
  /** The line as an object; undefined if it is none. */
  readonly message: RawMessage | undefined;
  /** `other` is everything that is not a message. */
  readonly kind: 'request' | 'notification' | 'answer' | 'other';
  /** For an answer: its request. Undefined if there was none. */
  request: Frame | undefined;
  /** Of a request: its first answer in the journal, also if it comes later. */
  answer: Frame | undefined;
  /** For a request: others used its id while it was open, so its answer cannot be identified. */
  isMistakable = false;
  #dissection: Dissection | undefined;

  constructor(entry: JournalEntry) {
    this.entry = entry;
    this.from = entry.from;
    this.message = entry.flaw === 'cut off' || entry.flaw === 'oversize' ? undefined : asMessage(entry.message);
    this.kind = kindOf(this.message);
  }

  get id(): unknown {
    return this.message?.['id'];
  }

  /** The method; for an answer that of its request. Empty if there is none, or it is unknown. */
  get method(): string {
    if (this.request?.isMistakable) return '';
    const method = this.kind === 'answer' ? this.request?.method : this.message?.['method'];
    return typeof method === 'string' ? method : '';
  }

  /** An empty object if there are none. */
  get params(): RawMessage {
    return asMessage(this.message?.['params']) ?? {};
  }

  get result(): RawMessage | undefined {
    return asMessage(this.message?.['result']);
  }

  get error(): ReplyError | undefined {
    return this.message && errorOf(this.message);
  }

  /** Whether it is an answer that carries a result, `null` included. */
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
    const definition = definitionOf(this.from, this.kind, this.method);
    this.#dissection ??=
      definition === undefined || this.error !== undefined ? emptyDissection : dissect(definition, this.value);
    return this.#dissection;
  }

  /** What it has of these definitions that are objects. */
  partsOf(...types: readonly Definition[]): readonly RawMessage[] {
    return objectsIn(this.dissection.parts.filter(({ type }) => types.includes(type)).map(({ value }) => value));
  }

  /** What the schema describes: the result, or the parameters. */
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
