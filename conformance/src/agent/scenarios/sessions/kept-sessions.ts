import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, withAgent } from '../../agent-stage.ts';
import { refusalWords } from '../../failed-turn.ts';
import { seeTurnEnded } from '../../pieces/busy-turn.ts';
import { beginKeptSession, seeRecalled } from '../../pieces/kept-session.ts';
import { expectListed, listSessions } from '../../pieces/listed-sessions.ts';
import type { ReadyAgent } from '../../session.ts';

export const keptSessionScenarios: AgentScripts = {
  'resume/context': async (stage) => {
    const { session, recalled } = await beginKeptSession(stage, 'sessionCapabilities.resume');
    const next = await session.agent.restart();
    const { session: resumed, reply, before } = await next.bringBack('session/resume', session.id);
    if (reply.error !== undefined)
      throw new Stopped(`session/resume was refused: ${refusalWords(reply.error)}`, {
        requirement: 'R092',
        evidence: [...before.entries, reply.entry],
      });
    await seeRecalled(stage, resumed, ['R092', recalled]);
  },
  'close/turn': withAgent(['sessionCapabilities.close'], async (agent, stage) => {
    const session = await agent.session();
    await seeTurnEnded(stage, session, ['R094', 'session/close']);
    // An answer or an error, both are fine.
    await session.ask('session/close');
  }),
  'delete/gone': withAgent(['sessionCapabilities.delete', 'sessionCapabilities.list'], async (agent, stage) => {
    const session = await agent.session();
    await session.says('quince');
    // To delete one that is open may mean anything.
    const isClosed = agent.offers('sessionCapabilities.close');
    if (isClosed) await session.ask('session/close');
    expectListed(await listSessions(agent), session.id);
    const deleted = await session.ask('session/delete');
    if (deleted.error !== undefined) throw new Stopped(`session/delete was refused: ${String(deleted.error.message)}`);
    const seeUnlisted = async (listing: ReadyAgent, when: string): Promise<void> => {
      const { ids, entries } = await listSessions(listing);
      stage.see.check('R131', ids.includes(session.id) && `a session is listed ${when}`, deleted, entries);
    };
    await seeUnlisted(agent, 'after it was deleted');
    const again = await session.ask('session/delete');
    const fault = again.error !== undefined && 'to delete a session a second time is an error';
    stage.see.check('R132', fault, deleted, again);
    const next = await agent.restart();
    if (isClosed) await seeUnlisted(next, 'after it was deleted and the agent was started anew');
    // Loaded or refused, both are fine.
    if (agent.offers('loadSession')) await next.bringBack('session/load', session.id);
  }),
};
