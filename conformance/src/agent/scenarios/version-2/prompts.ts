import { at, errorOf, isAnswerTo, quoted, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, inSession } from '../../agent-context.ts';
import { failureOf } from '../../failed-turn.ts';
import { beginBusyTurn } from '../../fixtures/busy-turn.ts';
import { calm, expectDone } from '../../fixtures/preconditions.ts';
import type { Session } from '../../session.ts';
import { Turn2 } from '../../turn-2.ts';

export const promptScenarios: AgentScripts = {
  'prompt/message': inSession(async (session, context) => {
    for (const text of ['quince', 'medlar']) {
      const turn = beginTurn(session, context.steer('say', { text }));
      await turn.end();
      const { answer, echo, error, messageId, request } = turn;
      if (error !== undefined) throw new Stopped(failureOf(error));
      context.see.check('V050', typeof messageId !== 'string' && 'the answer to a prompt has no messageId', answer);
      const fault = echo === undefined && `no user_message with the id ${quoted(messageId)} was sent`;
      context.see.check('V051', fault, request, answer);
      const hasRun = turn.states.some(({ update }) => update['state'] !== 'idle');
      context.see.check('V041', !hasRun && 'no state said that the work had begun', request, turn);
    }
  }),
  'prompt/order': inSession(async (session, context) => {
    const turns = ['quince', 'medlar', 'mulberry'].map((text) => beginTurn(session, context.steer('say', { text })));
    for (const turn of turns) await turn.end();
    const refused = turns.filter(({ error }) => error !== undefined);
    if (!context.see.check('V053', refused.length > 0 && 'one of several open prompts was refused', refused)) return;
    const places = turns.map(({ echo }) => (echo === undefined ? -1 : session.entries.indexOf(echo)));
    const isOrdered = places.every((place, nth) => nth === 0 || place > (places[nth - 1] ?? 0));
    const fault = !isOrdered && 'prompts were inserted in another order than they were sent';
    context.see.check(
      'V053',
      fault,
      turns.map(({ request }) => request),
      turns.map(({ echo }) => echo),
    );
  }),
  'prompt/withdrawn': inSession(async (session, context) => {
    const { wire } = session;
    const { turn } = await beginBusyTurn(context, session);
    const second = beginTurn(session, context.steer('say', { text: 'medlar' }));
    const requestId = at(second.request.message, 'id');
    const cancel = wire.notify('$/cancel_request', { requestId });
    const within = context.settings.timeouts.answer;
    const answer = await wire.next((message) => isAnswerTo(requestId, message), { from: second.from, within });
    const error = errorOf((answer?.message ?? {}) as RawMessage);
    const isRight = answer !== undefined && (error === undefined || error.code === -32_800);
    const fault = !isRight && 'a withdrawn prompt was answered with neither -32800 nor a messageId';
    context.see.check('V055', fault, second.request, cancel, answer);
    turn.cancel();
    await turn.end();
    await wire.quiet(calm);
    const isShown = second.updates('user_message').some(({ entry }) => entry.text.includes('medlar'));
    const kept = error !== undefined && isShown && 'the message of a withdrawn prompt was inserted';
    context.see.check('V055', kept, second.request, answer);
  }),
  'prompt/key': inSession(async (session, context) => {
    const key = { idempotencyKey: 'turnwire-once' };
    const prompt = [{ type: 'text', text: context.steer('say', { text: 'quince' }) }];
    const turn = new Turn2(session.wire, session.agent.context.turns, { sessionId: session.id, prompt, more: key });
    await turn.end();
    expectDone(turn.error === undefined, 'accept a prompt with a key');
    const again = await session.ask('session/prompt', { prompt, ...key });
    const isOther = at(again.result, 'messageId') !== turn.messageId;
    context.see.check(
      'V058',
      isOther && 'a repeated prompt was not answered with the first messageId',
      turn.answer,
      again,
    );
    await session.wire.quiet(calm);
    const shown = turn.updates('user_message', 'user_message_chunk').map(({ update }) => update['messageId']);
    const isTwice = new Set(shown).size > 1;
    context.see.check('V058', isTwice && 'a prompt with the same key inserted a second message', turn.answer, again);
  }),
  'states/blocked': inSession(async (session, context) => {
    session.onPermission(() => undefined);
    const turn = beginTurn(session, context.steer('write', { path: context.path('made.txt'), text: 'made' }));
    const asked = await turn.until(({ method }) => method === 'session/request_permission');
    expectDone(asked !== undefined, 'ask for permission');
    // The state may be sent before or after the request.
    await session.wire.quiet(calm);
    const { optionId } = (at(asked.message, 'params', 'options', 0) ?? {}) as RawMessage;
    const result = { outcome: { outcome: 'selected', optionId } };
    const answer = session.wire.send({ jsonrpc: '2.0', id: at(asked.message, 'id'), result });
    await turn.end();
    const blocked = turn.states.find(({ update }) => update['state'] === 'requires_action');
    if (blocked === undefined) return context.see.unseen('V042', 'the agent did not report requires_action');
    expectDone((await context.textOf('made.txt')) !== undefined, 'create a file with permission');
    const hasGoneOn = turn
      .after(answer)
      .updates('state_update')
      .some(({ update }) => update['state'] === 'running');
    context.see.check('V042', !hasGoneOn && 'the work continued after requires_action without running', blocked, turn);
  }),
};

/** Sends a prompt without waiting for the end of its turn. */
export function beginTurn(session: Session, prompt: string): Turn2 {
  return session.begin(prompt) as Turn2;
}
