import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, withAgent } from '../../agent-context.ts';
import { refusalText } from '../../failed-turn.ts';
import { seeTurnEnded } from '../../fixtures/busy-turn.ts';
import { beginKeptSession, seeRecalled } from '../../fixtures/kept-session.ts';
import { expectListed, listSessions } from '../../fixtures/listed-sessions.ts';
import type { ReadyAgent } from '../../session.ts';

export const keptSessionScenarios: AgentScripts = {
  'resume/context': async (context) => {
    const { session, recalled } = await beginKeptSession(context, 'sessionCapabilities.resume');
    const next = await session.agent.restart();
    const { session: resumed, reply, before } = await next.restore('session/resume', session.id);
    if (reply.error !== undefined)
      throw new Stopped(`session/resume was refused: ${refusalText(reply.error)}`, {
        requirement: 'R092',
        evidence: [...before.entries, reply.entry],
      });
    await seeRecalled(context, resumed, ['R092', recalled]);
  },
  'close/turn': withAgent(['sessionCapabilities.close'], async (agent, context) => {
    const session = await agent.session();
    await seeTurnEnded(context, session, ['R094', 'session/close']);
    // Both an answer and an error are allowed.
    await session.ask('session/close');
  }),
  'delete/gone': withAgent(['sessionCapabilities.delete', 'sessionCapabilities.list'], async (agent, context) => {
    const session = await agent.session();
    await session.says('quince');
    // The protocol does not define what deleting an open session does.
    const isClosed = agent.offers('sessionCapabilities.close');
    if (isClosed) await session.ask('session/close');
    expectListed(await listSessions(agent), session.id);
    const deleted = await session.ask('session/delete');
    if (deleted.error !== undefined) throw new Stopped(`session/delete was refused: ${String(deleted.error.message)}`);
    const seeUnlisted = async (listing: ReadyAgent, when: string): Promise<void> => {
      const { ids, entries } = await listSessions(listing);
      context.see.check('R131', ids.includes(session.id) && `a session is still listed ${when}`, deleted, entries);
    };
    await seeUnlisted(agent, 'after it was deleted');
    const again = await session.ask('session/delete');
    const fault = again.error !== undefined && 'deleting a deleted session again was refused';
    context.see.check('R132', fault, deleted, again);
    const next = await agent.restart();
    if (isClosed) await seeUnlisted(next, 'after it was deleted and the agent was restarted');
    // Both a loaded session and a refusal are allowed.
    if (agent.offers('loadSession')) await next.restore('session/load', session.id);
  }),
};
