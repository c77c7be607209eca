import type { Session } from '@turnwire/agent';
import type { SessionMemory } from '../session/session-memory.ts';

/** Shows the models that were found after the session had begun. A session that is over meanwhile wants none. */
export async function offerLateModels(session: Session<SessionMemory>): Promise<void> {
  if (await session.memory.models.late) await session.refreshOptions().catch(() => undefined);
}
