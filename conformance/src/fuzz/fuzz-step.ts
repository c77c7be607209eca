import { asMessage, type JournalEntry, type RawMessage } from '../wire/messages.ts';

/**
 * One step against an agent: a line to send, or a wait until it has answered. Lines may contain `{session}` and `{folder}`, for an existing
 * session and folder, and `"{id}"`, for a unique number.
 */
export type FuzzStep = { readonly line: string } | { readonly wait: true };

/** The answers that a line requires of an agent. */
export interface Asked {
  readonly entry: JournalEntry;
  /** The id to answer with, as JSON; undefined if there is none. */
  readonly id: string | undefined;
  /** Whether an answer with this id must come. */
  readonly isOwed: boolean;
  /** Whether an error with the id null may come. */
  readonly mayFail: boolean;
  readonly method: unknown;
}

/** Nesting that every JSON parser supports. */
const shallow = 64;

/** The answers that an agent owes for a line. */
export function askedBy(entry: JournalEntry): Asked {
  const message = asMessage(entry.message);
  if (message === undefined) return { entry, id: undefined, isOwed: false, mayFail: true, method: undefined };
  const { id, method } = message;
  const isCall = isWellFormed(message) && typeof method === 'string' && !isDeep(entry.text);
  const isOwed = isCall && isId(id) && id !== null;
  const isSilent = (isCall && id === undefined) || isAnswer(message);
  const asked = id === undefined ? undefined : JSON.stringify(id);
  return { entry, id: asked, isOwed, mayFail: !isOwed && !isSilent, method };
}

function isAnswer(message: RawMessage): boolean {
  return isWellFormed(message) && message['method'] === undefined && isId(message['id']) && 'result' in message;
}

function isWellFormed({ jsonrpc, params }: RawMessage): boolean {
  return jsonrpc === '2.0' && (params === undefined || (typeof params === 'object' && params !== null));
}

/** Ids that every agent can return: longer numbers lose precision. */
function isId(id: unknown): boolean {
  return typeof id === 'string' || id === null || Number.isSafeInteger(id);
}

function isDeep(text: string): boolean {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest > shallow;
}
