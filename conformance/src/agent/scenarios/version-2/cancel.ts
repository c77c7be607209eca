import { asMessage, at, quoted, type RawMessage } from '../../../wire/messages.ts';
import { Stopped } from '../../../wire/stopped.ts';
import { type AgentScripts, inSession, withAgent } from '../../agent-context.ts';
import { asSoonAsPossible, beginBusyTurn } from '../../fixtures/busy-turn.ts';
import { calm, expectDone } from '../../fixtures/preconditions.ts';
import { isGoneWithin } from '../../fixtures/running-process.ts';
import { cancelled } from '../../host/simulate-host.ts';
import { beginTurn } from './prompts.ts';
import { failsWith } from './refusal.ts';

const final = ['completed', 'failed', 'cancelled'];

export const cancelScenarios: AgentScripts = {
  'cancel/held': inSession(async (session, context) => {
    const { turn } = await beginBusyTurn(context, session);
    const held = beginTurn(session, context.steer('say', { text: 'medlar' }));
    const cancel = session.cancel();
    const later = beginTurn(session, context.steer('say', { text: 'quince' }));
    for (const each of [turn, held, later]) await each.end();
    const isOver = held.error?.code === -32_800 || held.stopReason === 'cancelled';
    const fault = !isOver && 'a prompt that was held was neither answered with -32800 nor ended with cancelled';
    context.see.check('V060', fault, held.request, cancel, held);
    const isHit = later.error !== undefined || later.stopReason === 'cancelled';
    context.see.check(
      'V060',
      isHit && 'session/cancel ended a prompt that was sent after it',
      cancel,
      later.request,
      later,
    );
  }),
  'cancel/question': inSession(async (session, context) => {
    const { wire } = session;
    session.onPermission(() => undefined);
    const turn = session.begin(context.steer('write', { path: context.path('made.txt'), text: 'made' }));
    const asked = await turn.until(({ method }) => method === 'session/request_permission');
    expectDone(asked !== undefined, 'ask for permission');
    const id = at(asked.message, 'id');
    const cancel = turn.cancel();
    const withdrawn = await wire.next(
      ({ method, params }) => method === '$/cancel_request' && quoted(at(params, 'requestId')) === quoted(id),
      { from: turn.from },
    );
    wire.send({ jsonrpc: '2.0', id, result: cancelled });
    await turn.end();
    const fault = withdrawn === undefined && 'the permission request was not cancelled after session/cancel';
    context.see.check('V062', fault, asked, cancel);
  }),
  'cancel/unknown-work': inSession(async (session, context) => {
    for (const kind of ['toolCall', 'terminal']) {
      const method = `${kind === 'terminal' ? kind : 'tool_call'}/cancel`;
      const reply = await session.ask(method, { [`${kind}Id`]: 'turnwire-none' });
      context.see.check('V064', failsWith(reply, -32_602, `${method} for something unknown`), reply);
    }
  }),
  'cancel/tool-call': inSession(async (session, context) => {
    const { turn, pid } = await beginBusyTurn(context, session);
    const offer = turn
      .updates('tool_call_update')
      .findLast(({ update }) => asMessage(at(update, 'capabilities', 'cancel')) !== undefined);
    if (offer === undefined) {
      turn.cancel();
      throw new Stopped('the tool call of a running command does not offer cancel');
    }
    const { toolCallId } = offer.update;
    const reply = await session.ask('tool_call/cancel', { toolCallId });
    context.see.check(
      'V064',
      reply.error !== undefined && 'tool_call/cancel was refused for a call that offers it',
      reply,
    );
    const isGone = await isGoneWithin(pid, asSoonAsPossible);
    if (!isGone) turn.cancel();
    await turn.end();
    const fault = !isGone && `the command was still running ${asSoonAsPossible / 1000} seconds after tool_call/cancel`;
    context.see.check('V064', fault, reply);
    const last = turn.updates('tool_call_update').findLast((each) => isStatusOf(toolCallId, each.update));
    const isOpen = !final.includes(String(last?.update['status'])) && 'a cancelled tool call got no final status';
    context.see.check('V064', isGone && isOpen, reply, last);
    const again = await session.ask('tool_call/cancel', { toolCallId });
    context.see.check('V064', failsWith(again, -32_602, 'tool_call/cancel for a finished call'), again);
  }),
  'close/order': withAgent(['session'], async (agent, context) => {
    const session = await agent.session();
    const { turn } = await beginBusyTurn(context, session);
    const reply = await session.ask('session/close');
    await session.wire.quiet(calm);
    const { answered, stopReason } = turn;
    const { entries } = session;
    const isBefore = answered !== undefined && entries.indexOf(answered) < entries.indexOf(reply.entry);
    const isRight = isBefore && stopReason === 'cancelled';
    context.see.check('V065', !isRight && 'session/close was answered before idle with cancelled', turn.request, reply);
    const late = session
      .after(reply.entry)
      .updates()
      .filter(({ sessionId }) => sessionId === session.id);
    context.see.check('V065', late.length > 0 && 'updates of a closed session were sent', reply, late);
    const again = await agent.wire.ask('session/close', { sessionId: session.id });
    context.see.check(
      'V065',
      again.error !== undefined && 'session/close was refused for a session that is not open',
      again,
    );
  }),
};

function isStatusOf(toolCallId: unknown, update: RawMessage): boolean {
  return update['toolCallId'] === toolCallId && typeof update['status'] === 'string';
}
