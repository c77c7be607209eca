import { asMessage, type JournalEntry, type RawMessage } from '../wire/messages.ts';

/**
 * One step against an agent: a line to send, or a short wait. Lines may contain `{session}` and `{folder}` for an existing session and
 * folder, and `"{id}"` for a unique number.
 */
export type FuzzStep = { readonly line: string } | { readonly wait: true };

/** The answers to a line that an agent must or may send. */
export interface SentLine {
  readonly entry: JournalEntry;
  /** The id of the answer, as JSON; undefined if there is none. */
  readonly id: string | undefined;
  /** Whether an answer with this id is required. */
  readonly isOwed: boolean;
  /** Whether an error with the id null is allowed. */
  readonly mayFail: boolean;
  readonly method: unknown;
}

/** A nesting depth that every JSON parser supports. */
const shallow = 64;

/** Derives the answers that a line requires or allows. */
export function sentLine(entry: JournalEntry): SentLine {
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

/** Whether every agent can return this id: larger numbers lose precision. */
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
