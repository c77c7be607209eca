import type { Session } from '@turnwire/agent';
import type { SessionMemory } from './session-memory.ts';

/** Shows models that were found after the session had begun, unless the session is over by then. */
export async function offerLateModels(session: Session<SessionMemory>): Promise<void> {
  if (await session.memory.models.late) await session.refreshOptions().catch(() => undefined);
}
