import { Stopped } from '../../../verdict/stopped.ts';
import type { AgentScenario } from '../../agent-scenario.ts';
import type { AgentStage } from '../../agent-stage.ts';
import { expectListed, listSessions } from '../../pieces/listed-sessions.ts';
import { expectOffered, isOffered } from '../../pieces/offered.ts';
import { bringBack } from '../../pieces/stored-session.ts';

/** How sessions are deleted. */
export const deleteScenarios: readonly AgentScenario[] = [
  {
    id: 'delete/gone',
    title: 'a deleted session is listed no more, and deleting it again is no error',
    covers: ['R131', 'R132', 'R133'],
    run: seeGone,
  },
];

async function seeGone(stage: AgentStage): Promise<void> {
  const { wire, initialized } = await stage.ready();
  expectOffered(initialized, 'sessionCapabilities.delete', 'sessionCapabilities.list');
  const { id: sessionId } = await stage.newSession(wire);
  await stage.prompt(wire, sessionId, stage.steer('say', { text: 'quince' }));
  // To delete one that is open may mean anything.
  if (isOffered(initialized, 'sessionCapabilities.close')) await wire.ask('session/close', { sessionId });
  expectListed(await listSessions(wire, stage.folder), sessionId);
  const deleted = await wire.ask('session/delete', { sessionId });
  if (deleted.error !== undefined) throw new Stopped(`session/delete was refused: ${String(deleted.error.message)}`);
  const { ids, entries } = await listSessions(wire, stage.folder);
  stage.see.check('R131', !ids.includes(sessionId), {
    otherwise: 'a session is listed after it was deleted',
    evidence: [deleted.entry, ...entries],
  });
  const again = await wire.ask('session/delete', { sessionId });
  stage.see.check('R132', again.error === undefined, {
    otherwise: 'to delete a session a second time is an error',
    evidence: [deleted.entry, again.entry],
  });
  if (!isOffered(initialized, 'loadSession')) return;
  // Loaded or refused, both are fine.
  await bringBack(stage, { wire, method: 'session/load', sessionId });
  stage.see.held('R133');
}
