import { isDeepStrictEqual } from 'node:util';
import type { CoderSession } from '../session/session-memory.ts';
import { availableCommands } from './slash-commands.ts';

/** Sends the client the commands again whenever they change: the prompts of MCP servers come late, and come and go. */
export function offerLateCommands(session: CoderSession): void {
  let known = availableCommands(session);
  session.memory.mcp.onChange(() => {
    const now = availableCommands(session);
    if (isDeepStrictEqual(now, known)) return;
    known = now;
    session.offerCommands(now).catch(() => {
      // The client is gone.
    });
  });
}
