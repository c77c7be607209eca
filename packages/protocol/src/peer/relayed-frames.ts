import type { Side } from '../side.ts';
import { readEnvelope } from '../json-rpc/envelope.ts';
import type { FrameAbout } from '../transport.ts';
import type { RequestId } from '../json-rpc/request-id.ts';
import { sessionOf } from './session-of.ts';

/** Unanswered requests that are kept for each side. Beyond that, the oldest is dropped. */
const maxAsked = 10_000;

/** Facts that a message contains. An answer contains neither its method nor its session. */
export function frameAbout(message: unknown): FrameAbout {
  const envelope = readEnvelope(message);
  const { kind } = envelope;
  const isMessage = typeof message === 'object' && message !== null && !Array.isArray(message);
  return {
    kind: !isMessage ? 'request' : kind === 'malformed' ? envelope.like : kind === 'response' ? 'answer' : kind,
    method: 'method' in envelope ? envelope.method : undefined,
    id: 'id' in envelope ? envelope.id : undefined,
    sessionId: isMessage && 'params' in message ? sessionOf(message.params) : undefined,
    message,
  };
}

/**
 * Finds the facts about frames that a program passes on between a client and an agent, for transports that need them. A peer passes them by
 * itself. Each frame is parsed once, and its text is passed on.
 */
export class RelayedFrames {
  readonly #asked: Readonly<Record<Side, Map<RequestId, FrameAbout>>> = { client: new Map(), agent: new Map() };

  /**
   * Facts about a frame; those of an answer include its request's. Text that is not a message counts as a request without an id, because
   * JSON-RPC answers it with the id `null`.
   */
  read(from: Side, frame: string): FrameAbout {
    const about = frameAbout(parsed(frame));
    const { kind, id, method, message } = about;
    const own = this.#asked[from];
    if (kind === 'request' && id !== undefined) {
      own.set(id, { kind, id, method, sessionId: about.sessionId });
      if (own.size > maxAsked) own.delete(own.keys().next().value as RequestId);
    }
    if (method === '$/cancel_request')
      return { ...about, sessionId: about.sessionId ?? own.get(cancelled(message))?.sessionId };
    if (kind !== 'answer' || id === undefined) return about;
    const others = this.#asked[from === 'client' ? 'agent' : 'client'];
    const request = others.get(id);
    others.delete(id);
    return { ...about, method: request?.method, sessionId: request?.sessionId };
  }
}

function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return undefined;
  }
}

function cancelled(message: unknown): RequestId {
  const { params } = message as { readonly params?: { readonly requestId?: RequestId } | null };
  return params?.requestId ?? null;
}
