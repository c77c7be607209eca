import { Stopped } from '../../../wire/stopped.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { JournalEntry } from '../../../wire/journal.ts';
import type { Wire } from '../../../wire/wire.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { expectListed, listSessions } from '../../pieces/listed-sessions.ts';
import { expectOffered, isOffered } from '../../pieces/offered.ts';
import { bringBack, restart } from '../../pieces/stored-session.ts';

/** How sessions are deleted. */
export const deleteScenarios: readonly AgentScenario[] = [
  {
    id: 'delete/gone',
    title: 'a deleted session is listed no more, and deleting it again is not an error',
    covers: ['R131', 'R132'],
    run: seeGone,
  },
];

async function seeGone(stage: AgentStage): Promise<void> {
  const { wire, initialized } = await stage.ready();
  expectOffered(initialized, 'sessionCapabilities.delete', 'sessionCapabilities.list');
  const { id: sessionId } = await stage.newSession(wire);
  await stage.prompt(wire, sessionId, stage.steer('say', { text: 'quince' }));
  // To delete one that is open may mean anything.
  const isClosed = isOffered(initialized, 'sessionCapabilities.close');
  if (isClosed) await wire.ask('session/close', { sessionId });
  expectListed(await listSessions(wire, stage.folder), sessionId);
  const deleted = await wire.ask('session/delete', { sessionId });
  if (deleted.error !== undefined) throw new Stopped(`session/delete was refused: ${String(deleted.error.message)}`);
  await seeUnlisted(stage, { wire, deleted: deleted.entry, sessionId }, 'after it was deleted');
  const again = await wire.ask('session/delete', { sessionId });
  stage.see.check('R132', again.error === undefined, {
    otherwise: 'to delete a session a second time is an error',
    evidence: [deleted.entry, again.entry],
  });
  const next = await restart(stage, wire);
  const when = 'after it was deleted and the agent was started anew';
  if (isClosed) await seeUnlisted(stage, { wire: next, deleted: deleted.entry, sessionId }, when);
  if (!isOffered(initialized, 'loadSession')) return;
  // Loaded or refused, both are fine.
  await bringBack(stage, { wire: next, method: 'session/load', sessionId });
}

async function seeUnlisted(
  { see, folder }: AgentStage,
  { wire, deleted, sessionId }: { readonly wire: Wire; readonly deleted: JournalEntry; readonly sessionId: string },
  when: string,
): Promise<void> {
  const { ids, entries } = await listSessions(wire, folder);
  see.check('R131', !ids.includes(sessionId), {
    otherwise: `a session is listed ${when}`,
    evidence: [deleted, ...entries],
  });
}
