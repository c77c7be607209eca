import type { RequestId } from './request-id.ts';
import type { Malformed } from './envelope.ts';

/** A member of an object whose value is whole, or the name of one whose value is not. */
const member = /\s*[{,]\s*"([^"\\]*)"\s*:\s*(?:("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|null|true|false)(?=\s*[,}]))?/y;

/**
 * Reads the beginning of a message that was cut off: its members up to the first incomplete value. Undefined if they do not identify the
 * message, for example when the id comes last.
 */
export function messageHead(beginning: string): Pick<Malformed, 'id' | 'like'> | undefined {
  const names: (string | undefined)[] = [];
  let id: RequestId | undefined;
  member.lastIndex = 0;
  for (let found = member.exec(beginning); found; found = found[2] === undefined ? null : member.exec(beginning)) {
    names.push(found[1]);
    if (found[1] === 'id' && found[2] !== undefined) id = idIn(found[2]);
  }
  if (names.includes('method')) return id === undefined ? { id: null, like: 'notification' } : { id, like: 'request' };
  return id !== undefined && (names.includes('result') || names.includes('error')) ? { id, like: 'answer' } : undefined;
}

function idIn(text: string): RequestId | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' || typeof value === 'number' || value === null ? value : undefined;
  } catch {
    return undefined;
  }
}
