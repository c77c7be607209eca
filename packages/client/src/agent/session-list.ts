import { TurnwireError, type ListSessionsResponse, type SessionInfo } from '@turnwire/protocol';
import type { PeerConnection } from '../session/connection.ts';

/** Filters for the session list (protocol: Session List). */
export interface ListSessionsOptions {
  /** Only sessions that work in exactly this folder: an absolute path. Default: all. */
  readonly cwd?: string | undefined;
  /** Aborts the listing. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The sessions stored by an agent. Iterating fetches the next page when the last one is used up, each within `timeouts.listSessions`;
 * iterating again starts over.
 * ```ts
 * for await (const { sessionId, title } of agent.listSessions()) console.log(sessionId, title);
 * ```
 * Throws ProtocolError, or TurnwireError `timeout`, `connection-closed`, `cancelled`, or `invalid-response` if a cursor is repeated.
 */
export interface SessionList extends AsyncIterable<SessionInfo> {
  /** The same in pages, as sent by the agent; a page may be empty. */
  pages(): AsyncIterable<readonly SessionInfo[]>;
}

/** Lists sessions over a connection. */
export function sessionList(connection: PeerConnection, options: ListSessionsOptions, timeout: number): SessionList {
  const { cwd, signal } = options;
  const page = (cursor: string | undefined): Promise<ListSessionsResponse> =>
    connection.request(
      'session/list',
      { ...(cwd !== undefined && { cwd }), ...(cursor !== undefined && { cursor }) },
      { timeout, signal },
    );
  return {
    pages: () => sessionPages(page),
    async *[Symbol.asyncIterator]() {
      for await (const sessions of sessionPages(page)) yield* sessions;
    },
  };
}

/**
 * The pages of a list of sessions that is fetched by cursors, which are opaque: they are sent back unchanged. Throws TurnwireError
 * `invalid-response` if one is repeated.
 */
export async function* sessionPages(
  page: (cursor: string | undefined) => Promise<ListSessionsResponse>,
): AsyncGenerator<readonly SessionInfo[]> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const { sessions, nextCursor } = await page(cursor);
    yield sessions;
    cursor = nextCursor ?? undefined;
    if (cursor !== undefined && seen.has(cursor)) throw circular(cursor);
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
}

function circular(cursor: string): TurnwireError {
  return new TurnwireError(
    'invalid-response',
    `The agent's session list repeats the cursor ${JSON.stringify(cursor)}, so it ends here`,
  );
}
