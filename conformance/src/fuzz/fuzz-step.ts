import type { JournalEntry, RawMessage } from '../wire/journal.ts';
import { asMessage } from '../wire/messages.ts';

/**
 * One thing that is done to an agent: a line that is sent, or a wait until it has answered. Lines may hold `{session}` and `{folder}`, for
 * a session and a folder there are then, and `"{id}"`, for a number that no other line has.
 */
export type FuzzStep = { readonly line: string } | { readonly wait: true };

/** What a line asks of an agent. */
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

/** Nesting that every reader of JSON puts up with. */
const shallow = 64;

/** What an agent owes to a line. */
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

/** Ids that every agent can answer with: of longer numbers something is lost on the way. */
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
