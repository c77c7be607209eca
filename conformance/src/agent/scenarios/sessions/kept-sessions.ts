import { randomUUID } from 'node:crypto';
import type { RequirementId } from '../../../requirements/requirement.ts';
import { at, objectsIn, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentContext, type AgentScripts, withAgent } from '../../agent-context.ts';
import { refusalText } from '../../failed-turn.ts';
import { seeTurnEnded } from '../../fixtures/busy-turn.ts';
import { beginKeptSession, seeRecalled } from '../../fixtures/kept-session.ts';
import { selectIn } from '../../fixtures/current-options.ts';
import { expectListed, listSessions } from '../../fixtures/listed-sessions.ts';
import { type ReadyAgent, restoreOffers, type Session } from '../../session.ts';
import { promptFor } from '../../steering.ts';

export const keptSessionScenarios: AgentScripts = {
  'resume/context': async (context) => {
    const path = await context.file('orchard.txt', 'The third tree is a serviceberry.\n');
    const first = promptFor(context.settings.steering, 'read', { path });
    const kept = await beginKeptSession(context, 'sessionCapabilities.resume', { first });
    const { session } = kept;
    const next = await session.agent.restart();
    const resumed = await next.restore('session/resume', session.id);
    const { reply, before } = resumed;
    if (reply.error !== undefined)
      throw new Stopped(`session/resume was refused: ${refusalText(reply.error)}`, {
        requirement: 'R092',
        evidence: [...before.entries, reply.entry],
      });
    await seeRecalled(context, resumed, ['R092', kept]);
    // On another connection an audit rule does not know the earlier ids.
    if (first === undefined || session.toolReports.length === 0) return;
    const { toolReports } = await resumed.session.prompt(first);
    const used = new Set(session.toolReports.map(({ update }) => update['toolCallId']));
    const reused = toolReports.find(({ update }) => used.has(update['toolCallId']));
    const fault = 'after session/resume a new tool call has the id of an earlier one';
    context.see.check('R180', reused !== undefined && fault, session.toolReports[0], reused);
  },
  'sessions/unknown-id': async (context) => {
    const session = await context.session();
    for (const [requirement, method, params] of requestsFor(session, context)) {
      // Agents may require the form of their own ids; many use this one.
      const sessionId = randomUUID();
      const within = Math.min(context.settings.timeouts.answer, context.turnTimeout);
      const reply = await session.wire.ask(
        method,
        { sessionId, ...params },
        method === 'session/prompt' ? { within } : {},
      );
      // A turn that did nothing, and says so, is no success.
      const isRefused =
        reply.error !== undefined || ['refusal', 'cancelled'].includes(String(at(reply.result, 'stopReason')));
      const fault = `${method} succeeded for a session that does not exist`;
      context.see.check(requirement, !isRefused && fault, reply);
    }
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

/** Requests that need an existing session, as far as the agent has them. */
function requestsFor(
  { agent, setup }: Session,
  context: AgentContext,
): readonly (readonly [requirement: RequirementId, method: string, params: RawMessage])[] {
  const place = { cwd: context.folder, mcpServers: [] };
  const prompt = [{ type: 'text', text: context.steer('say', { text: 'quince' }) }];
  const modeId = at(setup['modes'], 'currentModeId');
  const option = selectIn(objectsIn(setup['configOptions']));
  const value = { configId: option?.['id'], value: option?.['currentValue'] };
  return [
    ...(modeId === undefined ? [] : [['R408', 'session/set_mode', { modeId }] as const]),
    ...(option === undefined ? [] : [['R408', 'session/set_config_option', value] as const]),
    ...restoreOffers.filter(([, offer]) => agent.offers(offer)).map(([way]) => ['R407', way, place] as const),
    ['R408', 'session/prompt', { prompt }],
  ];
}
