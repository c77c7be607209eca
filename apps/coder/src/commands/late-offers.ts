import { isDeepStrictEqual } from 'node:util';
import type { AvailableCommand } from '@turnwire/protocol';
import type { CoderSession } from '../session/session-memory.ts';
import { availableCommands } from './slash-commands.ts';

/**
 * Sends the client what becomes available after the session has begun: models of slow servers, and prompts of MCP servers, which come
 * and go. Returns the commands that are available now.
 */
export function watchOffers(session: CoderSession): readonly AvailableCommand[] {
  const { models, mcp } = session.memory;
  let known = availableCommands(session);
  mcp?.onChange(() => {
    const now = availableCommands(session);
    if (isDeepStrictEqual(now, known)) return;
    known = now;
    session.offerCommands(now).catch(() => {
      // The client is gone.
    });
  });
  // The session may be closed by then.
  void models.late?.then(async (hasChanged) => {
    if (hasChanged) await session.refreshOptions().catch(() => undefined);
  });
  return known;
}
